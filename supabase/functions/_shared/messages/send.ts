import { z } from 'zod'
import { Id } from '../contract/common.ts'
import type { ChatMessage, NewMessage } from '../contract/message.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { uploadIn } from '../media/settle.ts'
import { selectMessage } from './item.ts'

const Addressed = z.object({ receiverId: Id })

/**
 * Refuses whoever may not write, or not to the receiver that a body names.
 *
 * @param body as it came, in order or not
 */
export async function requireSend(caller: Caller, body: unknown): Promise<void> {
  const { data } = Addressed.safeParse(body)
  await asUser(caller, (tx) =>
    data
      ? tx`select private.require_message_to(${data.receiverId}::text::uuid)`
      : tx`select private.require_write()`,
  )
}

/** Sends a message once, however often it comes under the same id. `created` is false for the stored one. */
export async function sendMessage(
  caller: Caller,
  { id = crypto.randomUUID(), receiverId, content, imageUrl, replyToId }: NewMessage,
): Promise<{ created: boolean; item: JsonText<ChatMessage> }> {
  const image = uploadIn('imageUrl', imageUrl)
  const [sent] = await asUser(
    caller,
    (tx) => tx<{ item: JsonText<ChatMessage> }[]>`
      -- A stored message is sent again for free, and whatever has changed between the two people since.
      insert into public.messages (id, sender_id, receiver_id, content, media_id, reply_to_id)
      select ${id}::text::uuid, ${caller.userId}::text::uuid, ${receiverId}::text::uuid, ${content}::text,
             ${image}::text::uuid, ${replyToId ?? null}::text::uuid
      where not exists (select from public.messages m
                        where m.id = ${id}::text::uuid and m.sender_id = ${caller.userId}::text::uuid)
      returning private.message_json(messages, false)::text as item`,
  )
  if (sent) return { created: true, item: sent.item }
  const [stored] = await asUser(caller, (tx) => selectMessage(tx, id))
  // The id is that of a message to or from somebody else.
  if (stored?.senderId !== caller.userId || stored.receiverId !== receiverId.toLowerCase()) {
    throw new ApiError(409, 'This id is taken.')
  }
  return { created: false, item: stored.item }
}
