import type { ChatMessage } from '../contract/message.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { messageNotFound, selectMessage } from './item.ts'

/** Refuses whoever may not, or no longer, edit a message. */
export async function requireEdit(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_edit(${id}::text::uuid)`)
}

/**
 * Changes what one of the caller's messages says, within `limits.messageEditWindow` after it was sent. The same text
 * changes nothing.
 */
export async function editMessage(
  caller: Caller,
  id: string,
  content: string,
): Promise<JsonText<ChatMessage>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.edit_message(${id}::text::uuid, ${content}::text)`,
    selectMessage(tx, id),
  ])
  if (!row) throw messageNotFound()
  return row.item
}

/** Takes one of the caller's messages back, for both people; one that is gone already stays so. */
export async function deleteMessage(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.delete_message(${id}::text::uuid)`)
}
