import type { CheckoutAnswer } from '../contract/payment.ts'
import type { UnlockAnswer } from '../contract/post.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { readPost } from '../posts/queries.ts'
import { type PaymentsPort, port } from './port.ts'
import { chargeAndSettle, type Settled } from './settle.ts'

const paymentFailed = () =>
  new ApiError(503, 'Failed to unlock premium content. Please try again.', { code: 'payment_failed' })

/**
 * Pays for a post, once however often it is called; a post that is open to the caller already costs nothing.
 *
 * @param amount US dollars: what the post costs at this moment
 * @returns the post, open; or the page where it is paid for
 * @throws ApiError 400 `amount_mismatch` when it costs something else now, 503 `payment_failed` when nothing was paid
 */
export async function unlockPost(
  caller: Caller,
  postId: string,
  amount: number,
): Promise<JsonText<UnlockAnswer> | CheckoutAnswer> {
  const paid = port ? await pay(caller, postId, amount, port) : await needsNothing(caller, postId, amount)
  if (typeof paid === 'object') return paid
  const post = await readPost(caller, postId)
  if (paid === 'void') throw paymentFailed()
  return `{"unlocked":true,"post":${post}}`
}

/** Begin, charge, settle. */
async function pay(caller: Caller, postId: string, amount: number, to: PaymentsPort): Promise<Settled> {
  const [begun] = await asUser(
    caller,
    (tx) => tx<{ payment: string | null }[]>`
      select private.begin_unlock(${postId}::text::uuid, ${String(amount)}::text::numeric, ${to.provider}::text)
             as payment`,
  )
  return begun?.payment ? await chargeAndSettle(begun.payment, to) : 'paid'
}

/** Whether the post is open without paying: all that can be had where no payments are taken. Nothing is begun. */
async function needsNothing(caller: Caller, postId: string, amount: number): Promise<'paid' | 'void'> {
  const [quote] = await asUser(
    caller,
    (tx) => tx<{ free: boolean }[]>`
      select private.quote_unlock(${postId}::text::uuid, ${String(amount)}::text::numeric) is null as free`,
  )
  return quote?.free ? 'paid' : 'void'
}
