import { limits } from '../contract/limits.ts'
import type {
  ChatMessage,
  ConversationDetails,
  MessagePhoto,
  UserNote,
  UserNoteRequest,
} from '../contract/message.ts'
import { isBlank } from '../contract/text.ts'
import { type Page, type PageRow, toPage } from '../db/page.ts'
import { type JsonText, type Sql, type SqlFragment, sql, toJsonArray } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { asUser } from '../http/run-as.ts'
import { isTestMode } from '../payments/test-mode.ts'
import { callerSubscription, subscriptionFields } from '../users/presenter.ts'
import { userNotFound } from '../users/queries.ts'

/** A thread: the messages between the caller and another user. */
type Thread = { caller: Caller; otherUserId: string }

/**
 * A query that returns one row if the caller can see the other user's profile, has a conversation with them, or has
 * written a note about them.
 */
const otherUser = ({ caller, otherUserId }: Thread) => sql`
  select from public.conversations c
  where c.user_low = least(${caller.userId}::text, ${otherUserId}::text)::uuid
    and c.user_high = greatest(${caller.userId}::text, ${otherUserId}::text)::uuid
  union all
  select from public.profiles u where u.id = ${otherUserId}::text::uuid
  union all
  select from public.user_notes n
  where n.author_id = ${caller.userId}::text::uuid and n.user_id = ${otherUserId}::text::uuid
  limit 1`

const selectOtherUser = (tx: Sql, thread: Thread) => tx`${otherUser(thread)}`

function assertUserExists(users: { count: number }) {
  if (users.count === 0) throw userNotFound()
}

const selectMessages = (
  tx: Sql,
  functionCall: SqlFragment,
  { key = sql`id`, direction = sql`` }: { key?: SqlFragment; direction?: SqlFragment } = {},
) => tx<PageRow[]>`select item, ${key} as key from ${functionCall} order by sort_key ${direction}`

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
    { direction: sql`desc` },
  )

const selectMessagesAfter = (tx: Sql, { otherUserId }: Thread, after: string, maxRows: number) =>
  selectMessages(
    tx,
    sql`private.messages_after(${otherUserId}::text::uuid, ${after}::text::uuid, ${maxRows}::int)`,
  )

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
    next: rows.length > limit ? (page.at(-1)?.key ?? null) : null,
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
  return toPage(rows, { limit })
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
    next: older.length > olderCount ? (olderPage.at(-1)?.key ?? null) : null,
  }
}

/**
 * Lists the messages whose `version` is greater than `changedAfter`, in their current state, ordered by `version`.
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
      { key: sql`sort_key::text` },
    ),
  ])
  assertUserExists(users)
  return toPage(rows, { limit })
}

const selectPhotos = (tx: Sql, { otherUserId }: Thread, before: string | undefined, maxRows: number) => tx<
  PageRow[]
>`
  select item, id as key from private.thread_photos(
    ${otherUserId}::text::uuid, ${before ?? null}::text::uuid, ${maxRows}::int)`

/**
 * Lists the newest `limit` photos of a thread, or those before the message `before`, newest first. `next` is the value
 * of `before` for the next page.
 *
 * @throws ApiError 404
 */
export async function listPhotos(
  thread: Thread,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Page<MessagePhoto>> {
  const [users, rows] = await asUser(thread.caller, (tx) => [
    selectOtherUser(tx, thread),
    selectPhotos(tx, thread, before, limit + 1),
  ])
  assertUserExists(users)
  return toPage(rows, { limit })
}

/**
 * Returns the relationship between the caller and another user, and the latest photos of their thread. After a block,
 * the profile `u` is not joined, so only the photos and the caller's note remain. The policies alone would still show
 * the profile to an admin.
 *
 * @throws ApiError 404
 */
export async function readDetails(thread: Thread): Promise<JsonText<ConversationDetails>> {
  const { caller, otherUserId } = thread
  const [users, photos, [row]] = await asUser(caller, (tx) => [
    selectOtherUser(tx, thread),
    selectPhotos(tx, thread, undefined, limits.conversationPhotos + 1),
    tx<{ relation: string }[]>`
      select jsonb_build_object(
        'followerSince', f.created_at,
        'subscriber', case when private.is_own_subscriber(u.id) then
          jsonb_build_object('since', s.started_at, ${subscriptionFields}) end,
        'totalPaid', private.own_sales_to(u.id, ${isTestMode}::boolean) / 100.0,
        'canSubscribe', coalesce(u.is_creator and u.id <> caller.id and d.user_id is not null, false),
        'subscription', ${callerSubscription(caller)},
        'note', coalesce((select n.content from public.user_notes n
                          where n.author_id = caller.id and n.user_id = ${otherUserId}::text::uuid), '')
        )::text as relation
      from (select ${caller.userId}::text::uuid as id) caller
      left join public.profiles u
        on u.id = ${otherUserId}::text::uuid and not private.are_blocked(u.id, caller.id)
      left join public.profile_details d on d.user_id = u.id
      left join public.follows f on f.follower_id = u.id and f.followee_id = caller.id
      left join public.subscriptions s
        on s.subscriber_id = u.id and s.creator_id = caller.id and s.state = 'active'`,
  ])
  assertUserExists(users)
  const latest = toJsonArray(photos.slice(0, limits.conversationPhotos))
  const hasMore = photos.length > limits.conversationPhotos
  return `${row?.relation.slice(0, -1)}, "photos": ${latest}, "hasMorePhotos": ${hasMore}}`
}

/**
 * Sets the caller's private note about another user. Blank text deletes it.
 *
 * @throws ApiError 403 if the caller's account is read-only; 404; 409 if `previous` is given and the note was changed
 *   elsewhere; 429
 */
export async function setNote(thread: Thread, { content, previous }: UserNoteRequest): Promise<UserNote> {
  const users = await asUser(
    thread.caller,
    (tx) => tx`
      select private.set_user_note(
        ${thread.otherUserId}::text::uuid, ${content}::text, ${previous ?? null}::text) from (${otherUser(thread)}) u`,
  )
  assertUserExists(users)
  return { content: isBlank(content) ? '' : content }
}
