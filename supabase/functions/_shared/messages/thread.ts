import type { ChatMessage } from '../contract/message.ts'
import { sql } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { userNotFound } from '../users/queries.ts'
import { message, readMark } from './item.ts'

/** Whose thread with whom. */
type Two = { caller: Caller; other: string }
type Row = { item: string; id: string; place: string }

/** Somebody the caller can name, or has a thread with: no row for anybody else. */
const selectOther = (tx: Sql, { caller, other }: Two) => tx`
  select from public.profiles u where u.id = ${other}::text::uuid
  union all
  select from public.conversations c
  where c.user_low = least(${caller.userId}::text, ${other}::text)::uuid
    and c.user_high = greatest(${caller.userId}::text, ${other}::text)::uuid`

/**
 * Messages by their places in the thread, which a function found. Looked up one by one: a join would let the planner
 * read everything that the caller ever sent and received, for what the policies ask.
 */
const selectAt = (tx: Sql, found: ReturnType<typeof sql>, order = sql``) => tx<Row[]>`
  select one.item, found.id, found.place::text as place
  from ${found} found
  cross join lateral (
    select ${message}::text as item from public.messages m ${readMark} where m.id = found.id limit 1
  ) one
  order by found.place ${order}`

const back = (tx: Sql, { other }: Two, before: string | undefined, itself: boolean, most: number) =>
  selectAt(
    tx,
    sql`private.thread_back(${other}::text::uuid, ${before ?? null}::text::uuid, ${itself}::boolean, ${most}::int)`,
    sql`desc`,
  )

const forth = (tx: Sql, { other }: Two, after: string, most: number) =>
  selectAt(tx, sql`private.thread_forth(${other}::text::uuid, ${after}::text::uuid, ${most}::int)`)

const toList = (rows: readonly Row[]): JsonText<ChatMessage[]> => `[${rows.map((row) => row.item).join(',')}]`

function requireOther(people: { count: number }) {
  if (people.count === 0) throw userNotFound()
}

/**
 * The newest `limit` messages of a thread, or those before the message `before`; oldest first. `next` is what to give
 * as `before` then. A message that is not in the thread leads nowhere: to an empty list.
 */
export async function readBack(
  two: Two,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Page<ChatMessage>> {
  const [people, rows] = await asUser(two.caller, (tx) => [
    selectOther(tx, two),
    back(tx, two, before, false, limit + 1),
  ])
  requireOther(people)
  const shown = rows.slice(0, limit)
  return { items: toList(shown.toReversed()), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

/** The `limit` messages right after the message `after`, oldest first. `next` is what to give as `after` then. */
export async function readForth(
  two: Two,
  { limit, after }: { limit: number; after: string },
): Promise<Page<ChatMessage>> {
  const [people, rows] = await asUser(two.caller, (tx) => [
    selectOther(tx, two),
    forth(tx, two, after, limit + 1),
  ])
  requireOther(people)
  const shown = rows.slice(0, limit)
  return { items: toList(shown), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

/**
 * `limit` messages around one: half of them before it, itself, and the rest after it; oldest first. `next` is what to
 * give as `before` for those before them; whether later ones follow is asked by `after`.
 */
export async function readAround(
  two: Two,
  { limit, around }: { limit: number; around: string },
): Promise<Page<ChatMessage>> {
  const upToIt = Math.floor(limit / 2) + 1
  const [people, older, newer] = await asUser(two.caller, (tx) => [
    selectOther(tx, two),
    back(tx, two, around, true, upToIt + 1),
    forth(tx, two, around, limit - upToIt),
  ])
  requireOther(people)
  const shown = older.slice(0, upToIt)
  return {
    items: toList([...shown.toReversed(), ...newer]),
    next: older.length > upToIt ? (shown.at(-1)?.id ?? null) : null,
  }
}

/**
 * Messages that were edited, deleted or reacted to after the change of the number `changedAfter`, each as it is now, by
 * the number of its last change. `next` is the last of these numbers, to be given as `changedAfter` then.
 */
export async function readChanges(
  two: Two,
  { limit, changedAfter }: { limit: number; changedAfter: number },
): Promise<Page<ChatMessage>> {
  const [people, rows] = await asUser(two.caller, (tx) => [
    selectOther(tx, two),
    selectAt(
      tx,
      sql`private.thread_changes(${two.other}::text::uuid, ${changedAfter}::text::bigint, ${limit + 1}::int)`,
    ),
  ])
  requireOther(people)
  const shown = rows.slice(0, limit)
  return { items: toList(shown), next: rows.length > limit ? (shown.at(-1)?.place ?? null) : null }
}
