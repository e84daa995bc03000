import type { WelcomeMessage } from '../contract/mass-message.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { log } from '../http/log.ts'
import { asService, asUser } from '../http/run-as.ts'

/** Returns the caller's welcome message. */
export async function readWelcomeMessage(caller: Caller): Promise<WelcomeMessage> {
  const [row] = await asUser(
    caller,
    (tx) => tx<WelcomeMessage[]>`
      select w.content from public.welcome_messages w where w.creator_id = ${caller.userId}::text::uuid`,
  )
  return row ?? { content: '' }
}

/**
 * Sets the caller's welcome message. Blank text turns it off.
 *
 * @throws ApiError 403 if the account is read-only, the caller is not a creator, or their email address is not
 *   confirmed; 429
 */
export async function setWelcomeMessage(
  caller: Caller,
  { content }: WelcomeMessage,
): Promise<WelcomeMessage> {
  await asUser(caller, (tx) => tx`select private.set_welcome_message(${content}::text)`)
  return await readWelcomeMessage(caller)
}

/** The maximum number of welcome messages that one call sends. */
const batchSize = 500

/**
 * Sends the queued welcome messages, each in a transaction of its own. If a transaction fails (for example, because the
 * creator's account is being deleted), its message stays in the queue. Several calls can run at the same time.
 *
 * @returns how many messages were sent, and how many transactions failed
 */
export async function sendWelcomeMessages(): Promise<{ sent: number; failed: number }> {
  const queue = await asService(
    (tx) => tx<{ id: string }[]>`
      select q.subscription_id as id from private.list_welcome_queue(${batchSize}::integer) q`,
  )
  let [sent, failed] = [0, 0]
  for (const { id } of queue) {
    try {
      const [row] = await asService(
        (tx) => tx<{ isSent: boolean }[]>`select private.send_welcome_message(${id}::text::uuid) as "isSent"`,
      )
      if (row?.isSent) sent += 1
    } catch (error) {
      log('warn', 'welcome_message_failed', {
        subscriptionId: id,
        kind: error instanceof Error ? error.name : '',
      })
      failed += 1
    }
  }
  return { sent, failed }
}

/**
 * Sends the queued welcome messages without delaying the response. Call it after a payment for a subscription. If it
 * fails, the `mass-messages` job sends them.
 */
export function sendWelcomeMessagesInBackground(): void {
  runInBackground(sendWelcomeMessages(), 'welcome_message_failed')
}
