import { runInSteps } from '../jobs/run-in-steps.ts'

/**
 * Updates the analytics tables: views, daily counts and audiences.
 *
 * @returns the number of views that were counted, and the number of audiences that were computed or deleted
 */
export async function rollUpAnalytics(): Promise<{ views: number; audiences: number }> {
  const { views, audiences } = await runInSteps({
    views: (tx) => tx`select private.roll_up_views(50000) as count`,
    days: (tx) => tx`select private.roll_up_days(31) as count`,
    audiences: (tx) => tx`select private.roll_up_audiences(10) as count`,
  })
  return { views, audiences }
}
