import type { CheckoutAnswer } from '../contract/payment.ts'
import type { SubscribeAnswer, Subscription } from '../contract/subscription.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'
import { type PaymentsPort, port } from './port.ts'
import { chargeAndSettle } from './settle.ts'

const failed = () => new ApiError(503, 'Failed to subscribe', { code: 'payment_failed' })

/** The subscription `s`, of its subscriber, with the profile `u` of its creator where that is to be seen. */
const subscription = sql`json_build_object(
  'id', s.id, 'creatorId', s.creator_id,
  'creator', case when u.id is not null then json_build_object(${card}) end,
  'price', s.price_cents / 100.0,
  -- One that is over counts as ended before the job has come by.
  'state', case when s.state = 'active' and not private.subscribes_to(s.creator_id) then 'ended' else s.state end,
  'periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null, 'createdAt', s.created_at)::text`

/**
 * Subscribes the caller to a creator for a month, and for each that follows; paid once however often it is called. A
 * cancelled subscription whose month is not over goes on, and costs nothing.
 *
 * @returns the subscription, where `isNew` says that something was to be paid, by this call or one beside it; or the page
 *   where its first month is paid
 * @throws ApiError 400 for oneself, 403 for somebody who is no creator, or not open to the caller, 404 for nobody the
 *   caller may know of, 503 `payment_failed` when nothing was paid
 */
export async function subscribe(
  caller: Caller,
  creator: string,
): Promise<{ answer: JsonText<SubscribeAnswer>; isNew: boolean } | CheckoutAnswer> {
  const isNew = port ? await pay(caller, creator, port) : await needsNothing(caller, creator)
  if (typeof isNew === 'object') return isNew
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select ${subscription} as item
      from public.subscriptions s left join public.profiles u on u.id = s.creator_id
      where s.subscriber_id = ${caller.userId}::text::uuid and s.creator_id = ${creator}::text::uuid
        and s.state = 'active'`,
  )
  // Taken back, or blocked, while it was being paid.
  if (!row) throw failed()
  return { answer: `{"subscribed":true,"subscription":${row.item}}`, isNew }
}

/** Begin, charge, settle. False when there was nothing to pay. */
async function pay(caller: Caller, creator: string, to: PaymentsPort): Promise<boolean | CheckoutAnswer> {
  const [begun] = await asUser(
    caller,
    (tx) => tx<{ payment: string | null }[]>`
      select private.begin_subscription(${creator}::text::uuid, ${to.provider}::text) as payment`,
  )
  if (!begun?.payment) return false
  const settled = await chargeAndSettle(begun.payment, to)
  if (settled === 'void') throw failed()
  return settled === 'paid' || settled
}

/** All that can be had where no payments are taken is what was paid before. Nothing is begun, and nothing goes on. */
async function needsNothing(caller: Caller, creator: string): Promise<false> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_subscribable(${creator}::text::uuid)`,
    tx<{ open: boolean }[]>`select private.subscribes_to(${creator}::text::uuid) as open`,
  ])
  if (!row?.open) throw failed()
  return false
}

/**
 * Ends the caller's subscription with its period; doing it again changes nothing. One whose period is over, and whose
 * renewal has not been paid yet, ends at once.
 *
 * @throws ApiError 404 without one, or with one that has ended
 */
export async function cancelSubscription(caller: Caller, creator: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.cancel_subscription(${creator}::text::uuid)`)
}

/** What the caller subscribes to or once did, the latest first; not what was never paid and has ended. */
export async function listSubscriptions(caller: Caller, range: Range): Promise<Page<Subscription>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${subscription} as item, ${keyOf(sql`s.created_at`, sql`s.id`)} as key
      from public.subscriptions s left join public.profiles u on u.id = s.creator_id
      where s.subscriber_id = ${caller.userId}::text::uuid and (s.state <> 'ended' or s.periods > 0)
      ${
        after
          ? sql`and (s.created_at, s.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by s.created_at desc, s.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}
