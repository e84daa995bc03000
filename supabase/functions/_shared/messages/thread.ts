import type { ChatMessage } from '../contract/message.ts'
import { sql } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { userNotFound } from '../users/queries.ts'
import { message, readMark } from './item.ts'

/** Whose thread with whom. */
type Two = { caller: Caller; other: string }
type Row = { item: string; id: string; version: string }

/** The conversation `c` of the two. */
const theirs = ({ caller, other }: Two) => sql`
  c.user_low = least(${caller.userId}::text, ${other}::text)::uuid
  and c.user_high = greatest(${caller.userId}::text, ${other}::text)::uuid`

/** Somebody the caller can name, or has a thread with: no row for anybody else. */
const selectOther = (tx: Sql, two: Two) => tx`
  select from public.profiles u where u.id = ${two.other}::text::uuid
  union all
  select from public.conversations c where ${theirs(two)}`

/** Messages `m` of the two, as the rest of the statement chooses them. */
const selectPart = (tx: Sql, two: Two, rest: ReturnType<typeof sql>) => tx<Row[]>`
  select ${message}::text as item, m.id, m.version::text
  from public.conversations c
  join public.messages m on m.conversation_id = c.id
  ${readMark}
  where ${theirs(two)} ${rest}`

/** The number of a message within the conversation `c`; null for one of another, or of none. */
const seqOf = (id: string) => sql`
  (select b.seq from public.messages b where b.id = ${id}::text::uuid and b.conversation_id = c.id)`

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
    selectPart(
      tx,
      two,
      sql`${before === undefined ? sql`` : sql`and m.seq < ${seqOf(before)}`} order by m.seq desc limit ${limit + 1}`,
    ),
  ])
  requireOther(people)
  return backwards(rows, limit)
}

/** Rows from the newest to the oldest, one more than wanted if there is one. */
function backwards(rows: readonly Row[], limit: number): Page<ChatMessage> {
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
    selectPart(tx, two, sql`and m.seq > ${seqOf(after)} order by m.seq limit ${limit + 1}`),
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
  const [people, back, forth] = await asUser(two.caller, (tx) => [
    selectOther(tx, two),
    selectPart(tx, two, sql`and m.seq <= ${seqOf(around)} order by m.seq desc limit ${upToIt + 1}`),
    selectPart(tx, two, sql`and m.seq > ${seqOf(around)} order by m.seq limit ${limit - upToIt}`),
  ])
  requireOther(people)
  const shown = back.slice(0, upToIt)
  return {
    items: toList([...shown.toReversed(), ...forth]),
    next: back.length > upToIt ? (shown.at(-1)?.id ?? null) : null,
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
    selectPart(
      tx,
      two,
      // The index holds what has changed at all, and the planner must be told that this is asked for.
      sql`and m.version > 0 and m.version > ${changedAfter}::text::bigint order by m.version limit ${limit + 1}`,
    ),
  ])
  requireOther(people)
  const shown = rows.slice(0, limit)
  return { items: toList(shown), next: rows.length > limit ? (shown.at(-1)?.version ?? null) : null }
}
