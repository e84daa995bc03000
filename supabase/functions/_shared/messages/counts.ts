import { asUser } from '../db/run.ts'
import type { Caller } from '../http/session.ts'
import { oneCount, selectUnread } from '../users/counters.ts'

/**
 * How many messages the caller has not read, in all conversations. An open and visible page asks this every
 * `limits.pollInterval`: so it also tells that they are here.
 */
export async function countUnread(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.note_seen()`,
    selectUnread(tx, caller, 'messages'),
  ])
  return oneCount(rows)
}

/** Marks the thread with one person read; answers what is unread after it. */
export async function markRead(caller: Caller, other: string) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_conversation_read(${other}::text::uuid)`,
    selectUnread(tx, caller, 'messages'),
  ])
  return oneCount(rows)
}

/** Marks every thread of the caller read; answers what is unread after it. */
export async function markAllRead(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_all_conversations_read()`,
    selectUnread(tx, caller, 'messages'),
  ])
  return oneCount(rows)
}
