import { runInSteps } from '../jobs/run-in-steps.ts'

/**
 * Continues the refresh of account restrictions that a change to a setting started. Does nothing if no refresh is in
 * progress. If the time runs out, the job `moderation` continues the refresh.
 *
 * @returns the number of accounts that were checked
 */
export const refreshRestrictions = (): Promise<{ accounts: number }> =>
  runInSteps({ accounts: (tx) => tx`select private.refresh_restrictions(500) as count` })
