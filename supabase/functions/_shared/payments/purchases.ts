import type { CheckoutResponse, CreatorPro, TipRequest, TipResponse } from '../contract/payment.ts'
import type { UnlockResponse } from '../contract/post.ts'
import type { SubscribeResponse } from '../contract/subscription.ts'
import type { JsonText } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { readPost } from '../posts/queries.ts'
import { chargeAndSettle, type SettleResult } from './charge-and-settle.ts'
import { type PaymentProvider, paymentProvider } from './provider.ts'
import { findActiveSubscription, readCreatorPro } from './queries.ts'

// Every purchase creates a pending payment as the payer, charges it at the provider and settles it with the result.
// When payments are off, no payment is created: a call succeeds only for what was paid earlier.

const paymentFailed = (message: string) => new ApiError(503, message, { code: 'payment_failed' })
const unlockFailed = () => paymentFailed('Failed to unlock premium content. Please try again.')
const tipFailed = () => paymentFailed("Couldn't send your tip. Please try again.")
const subscribeFailed = () => paymentFailed('Failed to subscribe')
const upgradeFailed = () => paymentFailed("Couldn't upgrade to Creator Pro. Please try again.")

/**
 * Unlocks a premium post. Repeated calls charge once; a post that the caller can already read is not charged.
 *
 * @param amount US dollars: the post's current price
 * @returns the unlocked post, or the page where it is paid
 * @throws ApiError 400 `amount_mismatch` when the price is different now, 503 `payment_failed` when nothing was paid
 */
export async function unlockPost(
  caller: Caller,
  postId: string,
  amount: number,
): Promise<JsonText<UnlockResponse> | CheckoutResponse> {
  const result = paymentProvider
    ? await payUnlock(caller, postId, amount, paymentProvider)
    : await checkUnlocked(caller, postId, amount)
  if (typeof result === 'object') return result
  const post = await readPost(caller, postId)
  if (result === 'void') throw unlockFailed()
  return `{"unlocked":true,"post":${post}}`
}

async function payUnlock(
  caller: Caller,
  postId: string,
  amount: number,
  provider: PaymentProvider,
): Promise<SettleResult> {
  const [begun] = await asUser(
    caller,
    (tx) => tx<{ payment: string | null }[]>`
      select private.begin_unlock(${postId}::text::uuid, ${String(amount)}::text::numeric, ${provider.name}::text)
             as payment`,
  )
  return begun?.payment ? await chargeAndSettle(begun.payment, provider) : 'paid'
}

async function checkUnlocked(caller: Caller, postId: string, amount: number): Promise<'paid' | 'void'> {
  const [quote] = await asUser(
    caller,
    (tx) => tx<{ free: boolean }[]>`
      select private.unlock_price(${postId}::text::uuid, ${String(amount)}::text::numeric) is null as free`,
  )
  return quote?.free ? 'paid' : 'void'
}

type TipResult = { isNew: boolean; answer: TipResponse } | CheckoutResponse

/**
 * Tips a creator. Repeated calls with the same id charge once.
 *
 * @param tip the amount in US dollars, and optionally an id made by the client
 * @returns the tip, with `isNew` false when an earlier call paid it, or the page where it is paid
 * @throws ApiError 400 for the caller themselves or an invalid amount, 403 for a user who is not a creator or does not
 *   accept tips from the caller, 404 for a user hidden from the caller or a post that is not the creator's, 409 for
 *   an id that is taken, 503 `payment_failed` when nothing was paid
 */
export async function tipCreator(
  caller: Caller,
  creatorId: string,
  { id, amount, note, postId }: TipRequest,
): Promise<TipResult> {
  const tipId = id?.toLowerCase() ?? crypto.randomUUID()
  const result = paymentProvider
    ? await payTip(
        caller,
        { tipId, creatorId, amount, note: note ?? null, postId: postId ?? null },
        paymentProvider,
      )
    : await checkTipPaid(caller, creatorId, tipId)
  return typeof result === 'string' ? { isNew: result === 'new', answer: { tipped: true, amount } } : result
}

interface Tip {
  tipId: string
  creatorId: string
  amount: number
  note: string | null
  postId: string | null
}

async function payTip(
  caller: Caller,
  { tipId, creatorId, amount, note, postId }: Tip,
  provider: PaymentProvider,
): Promise<'new' | 'paid_before' | CheckoutResponse> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.begin_tip(${tipId}::text::uuid, ${creatorId}::text::uuid, ${String(amount)}::text::numeric,
                                ${provider.name}::text, ${note}::text, ${postId}::text::uuid)`,
    tx<{ state: string }[]>`select p.state from public.payments p where p.id = ${tipId}::text::uuid`,
  ])
  if (row?.state === 'paid') return 'paid_before'
  const settled = await chargeAndSettle(tipId, provider)
  if (settled === 'void') throw tipFailed()
  return settled === 'paid' ? 'new' : settled
}

async function checkTipPaid(caller: Caller, creatorId: string, tipId: string): Promise<'paid_before'> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_can_tip(${creatorId}::text::uuid)`,
    tx<{ id: string }[]>`
      select p.id from public.payments p
      where p.id = ${tipId}::text::uuid and p.payee_id = ${creatorId}::text::uuid and p.kind = 'tip' and p.state = 'paid'`,
  ])
  if (!row) throw tipFailed()
  return 'paid_before'
}

/**
 * Subscribes the caller to a creator, renewed monthly. Repeated calls charge once. A cancelled subscription whose month
 * is not over resumes at no cost.
 *
 * @returns the subscription, with `isNew` when this call or a concurrent one had to pay, or the page where the first
 *   month is paid
 * @throws ApiError 400 for the caller themselves, 403 for a user who is not a creator or whom the caller may not
 *   subscribe to, 404 for a user hidden from the caller, 503 `payment_failed` when nothing was paid
 */
export async function subscribe(
  caller: Caller,
  creatorId: string,
): Promise<{ answer: JsonText<SubscribeResponse>; isNew: boolean } | CheckoutResponse> {
  const isNew = paymentProvider
    ? await paySubscription(caller, creatorId, paymentProvider)
    : await checkSubscribed(caller, creatorId)
  if (typeof isNew === 'object') return isNew
  const subscription = await findActiveSubscription(caller, creatorId)
  // It was refunded, or one user blocked the other, during the payment.
  if (subscription === null) throw subscribeFailed()
  return { answer: `{"subscribed":true,"subscription":${subscription}}`, isNew }
}

/** Returns false when there was nothing to pay. */
async function paySubscription(
  caller: Caller,
  creatorId: string,
  provider: PaymentProvider,
): Promise<boolean | CheckoutResponse> {
  const [begun] = await asUser(
    caller,
    (tx) => tx<{ payment: string | null }[]>`
      select private.begin_subscription(${creatorId}::text::uuid, ${provider.name}::text) as payment`,
  )
  if (!begun?.payment) return false
  const settled = await chargeAndSettle(begun.payment, provider)
  if (settled === 'void') throw subscribeFailed()
  return settled === 'paid' || settled
}

async function checkSubscribed(caller: Caller, creatorId: string): Promise<false> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_can_subscribe(${creatorId}::text::uuid)`,
    tx<{ open: boolean }[]>`select private.is_subscribed_to(${creatorId}::text::uuid) as open`,
  ])
  if (!row?.open) throw subscribeFailed()
  return false
}

/**
 * Upgrades the caller to Creator Pro, renewed monthly. Repeated calls charge once. A cancelled plan whose month is not
 * over resumes at no cost.
 *
 * @returns the Creator Pro plan, with `isNew` when something had to be paid, or the page where it is paid
 * @throws ApiError 403 for a read-only account, 409 when Creator Pro is free here, 503 `payment_failed` when nothing
 *   was paid
 */
export async function upgradeToCreatorPro(
  caller: Caller,
): Promise<{ answer: CreatorPro; isNew: boolean } | CheckoutResponse> {
  const isNew = paymentProvider ? await payCreatorPro(caller, paymentProvider) : false
  if (typeof isNew === 'object') return isNew
  const answer = await readCreatorPro(caller)
  // The payment was refunded while it was being made, or payments are off and there is no paid plan.
  if (answer.plan?.state !== 'active') throw upgradeFailed()
  return { answer, isNew }
}

/** Returns false when there was nothing to pay. */
async function payCreatorPro(caller: Caller, provider: PaymentProvider): Promise<boolean | CheckoutResponse> {
  const [begun] = await asUser(
    caller,
    (tx) => tx<{ payment: string | null }[]>`
      select private.begin_creator_plan(${provider.name}::text) as payment`,
  )
  if (!begun?.payment) return false
  const settled = await chargeAndSettle(begun.payment, provider)
  if (settled === 'void') throw upgradeFailed()
  return settled === 'paid' || settled
}
