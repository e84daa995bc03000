import type { Sql } from '../db/sql.ts'
import { runInSteps } from './run-in-steps.ts'

/**
 * The kinds of rows that `private.clean_up` processes. It deletes all of them except `announcements`, which it queues
 * for the `new-posts` job. `messages` comes before `conversations`, because only conversations without messages are
 * deleted.
 */
const kinds = [
  'captchas',
  'rateLimits',
  'resetClaims',
  'emailChanges',
  'messages',
  'conversations',
  'withdrawals',
  'announcements',
  'authLog',
] as const
type Kind = (typeof kinds)[number]

const batchSize = 2000

const cleanUpBatch = (kind: Kind) => (tx: Sql) =>
  tx<{ count: number }[]>`select private.clean_up(${kind}::text, ${batchSize}::integer) as count`

/** Deletes data that is no longer needed. Returns the number of rows of each kind that were deleted or queued. */
export const cleanUp = (): Promise<Record<Kind, number>> =>
  runInSteps(
    Object.fromEntries(kinds.map((kind) => [kind, cleanUpBatch(kind)])) as Record<
      Kind,
      ReturnType<typeof cleanUpBatch>
    >,
  )
