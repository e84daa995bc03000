import { z } from 'zod'
import { Id } from '../contract/common.ts'
import type { ChatMessage, NewMessage } from '../contract/message.ts'
import { asGuardedUser, asUser } from '../db/run.ts'
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
  message: NewMessage,
): Promise<{ created: boolean; item: JsonText<ChatMessage> }> {
  const { id = crypto.randomUUID(), receiverId } = message
  let refusal: unknown = null
  try {
    const item = await store(caller, { ...message, id })
    if (item !== null) return { created: true, item }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error
    refusal = error
  }
  // A stored message is sent again for free, and whatever has changed between the two people since. Who asks with an
  // ended session hears that, whatever else they were refused for.
  const [stored] = await asUser(caller, (tx) => selectMessage(tx, id))
  const isOwn = stored?.senderId === caller.userId
  if (refusal && !isOwn) throw refusal
  // The id is that of a message to or from somebody else.
  if (!isOwn || stored.receiverId !== receiverId.toLowerCase()) throw new ApiError(409, 'This id is taken.')
  return { created: false, item: stored.item }
}

/** The new message; null where one is stored under this id. */
async function store(
  caller: Caller,
  { id, receiverId, content, imageUrl, replyToId }: NewMessage & { id: string },
): Promise<JsonText<ChatMessage> | null> {
  const image = uploadIn('imageUrl', imageUrl)
  const [sent] = await asGuardedUser(
    caller,
    (tx) => tx<{ item: JsonText<ChatMessage> | null }[]>`
      select private.send_message(${id}::text::uuid, ${receiverId}::text::uuid, ${content}::text,
                                  ${image}::text::uuid, ${replyToId ?? null}::text::uuid) as item`,
  )
  return sent?.item ?? null
}
