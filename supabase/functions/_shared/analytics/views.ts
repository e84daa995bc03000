import { asGuardedUser } from '../db/run.ts'
import type { Caller } from '../http/session.ts'

/**
 * Notes that posts were on the caller's screen. Own ones, and those that they may not see, count for nothing, and so
 * does one that was seen in this hour already.
 *
 * @throws ApiError 401, 429
 */
export async function recordViews(caller: Caller, postIds: readonly string[]): Promise<void> {
  // One text: a list would have to be described to the driver.
  const named = `{${postIds.join(',')}}`
  await asGuardedUser(caller, (tx) => tx`select private.record_views(${named}::text::uuid[])`)
}
