import type { PendingQuery } from 'postgres'
import type { Sql } from '../db/sql.ts'
import { runInBackground } from '../http/background.ts'
import { asService } from '../http/run-as.ts'
import { runJob } from '../jobs/run-job.ts'
import { findJob } from '../jobs/schedule.ts'

/** Maximum number of users per transaction, which locks their unread counts. */
const batchSize = 500
/** A run starts no new batches after this time. The next run of the `new-posts` job handles the rest. */
const maxDurationMs = 50_000

export interface AnnouncementResult {
  notified: number
  withdrawn: number
}

/** Notifies followers about queued posts, and deletes notifications whose posts are no longer visible, in batches. */
export async function announcePosts(): Promise<AnnouncementResult> {
  const deadline = Date.now() + maxDurationMs
  const result = { notified: 0, withdrawn: 0 }
  while (Date.now() < deadline) {
    // Two transactions, because each locks unread counts in the order of the users' ids. Locking the counts of more
    // users in the same transaction would break that order and could deadlock.
    const notified = await runStep((tx) => tx`select private.announce_posts(${batchSize}::integer) as count`)
    const withdrawn = await runStep(
      (tx) => tx`select private.withdraw_announcements(${batchSize}::integer) as count`,
    )
    if (notified === null && withdrawn === null) break
    result.notified += notified ?? 0
    result.withdrawn += withdrawn ?? 0
  }
  return result
}

/** Returns the count of a step; null if there was nothing to do. */
async function runStep(build: (tx: Sql) => PendingQuery<{ count: number | null }[]>): Promise<number | null> {
  const [row] = await asService(build)
  return row?.count ?? null
}

/**
 * Starts the `new-posts` job if it has work, so that followers do not have to wait for its next run. Call it
 * after posts are published or deleted.
 */
export function announcePostsInBackground(): void {
  runInBackground(runIfNeeded(), 'announcement_failed')
}

async function runIfNeeded(): Promise<void> {
  const [row] = await asService(
    (tx) => tx<{ hasWork: boolean }[]>`select private.has_posts_to_announce() as "hasWork"`,
  )
  if (row?.hasWork) await runJob(findJob('new-posts'), 'now', announcePosts)
}
