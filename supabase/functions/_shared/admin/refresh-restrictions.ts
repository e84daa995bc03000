import { runInSteps } from '../jobs/run-in-steps.ts'

/**
 * Continues refreshing account restrictions after a setting was changed. Does nothing if no refresh is in progress. If
 * this call runs out of time, the `moderation` job does the rest.
 *
 * @returns the number of accounts that were checked
 */
export const refreshRestrictions = (): Promise<{ accounts: number }> =>
  runInSteps({ accounts: (tx) => tx`select private.refresh_restrictions(500) as count` })
