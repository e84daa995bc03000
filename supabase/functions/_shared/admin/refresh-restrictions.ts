import { runInSteps } from '../jobs/run-in-steps.ts'

/**
 * Continues the refresh of the restrictions of all accounts after a change to a setting, if one is in progress. If it
 * runs out of time, the job `moderation` continues it.
 *
 * @returns the number of accounts that were checked
 */
export const refreshRestrictions = (): Promise<{ accounts: number }> =>
  runInSteps({ accounts: (tx) => tx`select private.refresh_restrictions(500) as count` })
