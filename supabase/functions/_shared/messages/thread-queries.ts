import type { ChatMessage } from '../contract/message.ts'
import type { Page } from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { asUser } from '../http/run-as.ts'
import { userNotFound } from '../users/queries.ts'

/** The caller's thread with another user. */
type Thread = { caller: Caller; otherUserId: string }
/** A message and its sort key: `seq`, or `version` in a list of changes. */
type MessageRow = { item: string; id: string; sortKey: string }

/** Selects one row if the caller can see the other user's profile or has a conversation with them. */
const selectOtherUser = (tx: Sql, { caller, otherUserId }: Thread) => tx`
  select from public.conversations c
  where c.user_low = least(${caller.userId}::text, ${otherUserId}::text)::uuid
    and c.user_high = greatest(${caller.userId}::text, ${otherUserId}::text)::uuid
  union all
  select from public.profiles u where u.id = ${otherUserId}::text::uuid
  limit 1`

function assertUserExists(users: { count: number }) {
  if (users.count === 0) throw userNotFound()
}

const selectMessages = (tx: Sql, functionCall: ReturnType<typeof sql>, direction = sql``) => tx<MessageRow[]>`
  select id, item, sort_key::text as "sortKey" from ${functionCall} order by sort_key ${direction}`

/** Selects the newest messages, or those before `before`, newest first. */
const selectMessagesBefore = (
  tx: Sql,
  { otherUserId }: Thread,
  { before, isInclusive, maxRows }: { before: string | undefined; isInclusive: boolean; maxRows: number },
) =>
  selectMessages(
    tx,
    sql`private.messages_before(
      ${otherUserId}::text::uuid, ${before ?? null}::text::uuid, ${isInclusive}::boolean, ${maxRows}::int)`,
    sql`desc`,
  )

const selectMessagesAfter = (tx: Sql, { otherUserId }: Thread, after: string, maxRows: number) =>
  selectMessages(
    tx,
    sql`private.messages_after(${otherUserId}::text::uuid, ${after}::text::uuid, ${maxRows}::int)`,
  )

const toJsonArray = (rows: readonly MessageRow[]): JsonText<ChatMessage[]> =>
  `[${rows.map((row) => row.item).join(',')}]`

/**
 * Lists the newest `limit` messages of a thread, or those before the message `before`, oldest first. `next` is the
 * value of `before` for the next page. The list is empty if `before` is not in the thread.
 *
 * @throws ApiError 404
 */
export async function listMessagesBefore(
  thread: Thread,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Page<ChatMessage>> {
  const rows = await asUser(thread.caller, (tx) =>
    selectMessagesBefore(tx, thread, { before, isInclusive: false, maxRows: limit + 1 }),
  )
  if (rows.length === 0) assertUserExists(await asUser(thread.caller, (tx) => selectOtherUser(tx, thread)))
  const page = rows.slice(0, limit)
  return {
    items: toJsonArray(page.toReversed()),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/**
 * Lists the `limit` messages that directly follow the message `after`, oldest first. `next` is the value of `after` for
 * the next page.
 *
 * @throws ApiError 404
 */
export async function listMessagesAfter(
  thread: Thread,
  { limit, after }: { limit: number; after: string },
): Promise<Page<ChatMessage>> {
  const [users, rows] = await asUser(thread.caller, (tx) => [
    selectOtherUser(tx, thread),
    selectMessagesAfter(tx, thread, after, limit + 1),
  ])
  assertUserExists(users)
  const page = rows.slice(0, limit)
  return { items: toJsonArray(page), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/**
 * Lists up to `limit` messages around the message `around`: half of them before it, the message itself, and the rest
 * after it, oldest first. `next` is the value of `before` for the page of earlier messages. To find out whether later
 * messages follow, call `listMessagesAfter`.
 *
 * @throws ApiError 404
 */
export async function listMessagesAround(
  thread: Thread,
  { limit, around }: { limit: number; around: string },
): Promise<Page<ChatMessage>> {
  // Includes the message `around` itself.
  const olderCount = Math.floor(limit / 2) + 1
  const [users, older, newer] = await asUser(thread.caller, (tx) => [
    selectOtherUser(tx, thread),
    selectMessagesBefore(tx, thread, { before: around, isInclusive: true, maxRows: olderCount + 1 }),
    selectMessagesAfter(tx, thread, around, limit - olderCount),
  ])
  assertUserExists(users)
  const olderPage = older.slice(0, olderCount)
  return {
    items: toJsonArray([...olderPage.toReversed(), ...newer]),
    next: older.length > olderCount ? (olderPage.at(-1)?.id ?? null) : null,
  }
}

/**
 * Lists the messages whose `version` is greater than `changedAfter`, in their current state, in the order of `version`.
 * `next` is the value of `changedAfter` for the next page.
 *
 * @throws ApiError 404
 */
export async function listMessageChanges(
  thread: Thread,
  { limit, changedAfter }: { limit: number; changedAfter: number },
): Promise<Page<ChatMessage>> {
  const [users, rows] = await asUser(thread.caller, (tx) => [
    selectOtherUser(tx, thread),
    selectMessages(
      tx,
      sql`private.messages_changed_since(
        ${thread.otherUserId}::text::uuid, ${changedAfter}::text::bigint, ${limit + 1}::int)`,
    ),
  ])
  assertUserExists(users)
  const page = rows.slice(0, limit)
  return { items: toJsonArray(page), next: rows.length > limit ? (page.at(-1)?.sortKey ?? null) : null }
}
