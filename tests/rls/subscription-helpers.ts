import { expect } from 'vitest'
import { insertUser, runAs, type SessionUser, sql } from './database.ts'
import { settlePayment } from './payment-helpers.ts'

/** Inserts a creator and a user who may subscribe to them. */
export const createCreatorAndFan = async () => {
  const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
  return { creator, fan }
}

/** The length of a subscription in months, and its price in US dollars. */
type Length = [months: number | null, amount: number | null]

/** The lengths and prices that result from `offerLengths`. */
export const lengths = {
  threeMonths: [3, 25.47],
  sixMonths: [6, 47.95],
  twelveMonths: [12, 83.92],
} satisfies Record<string, Length>

/** Lets a creator offer 3, 6 and 12 months at discounts of 15, 20 and 30%. */
export const offerLengths = (creator: SessionUser) => sql`
  update public.profile_details set quarterly_discount = 15, half_yearly_discount = 20, yearly_discount = 30
  where user_id = ${creator.id}`

/** Begins a subscription and returns the ID of its first payment, or null if there is nothing to pay. */
export const beginSubscription = (
  fan: SessionUser,
  creator: SessionUser,
  [months, amount]: Length = [null, null],
) =>
  runAs(fan, async (tx) => {
    const [row] = await tx<{ payment: string | null }[]>`
      select private.begin_subscription(${creator.id}, 'test', ${months}, ${amount}) as payment`
    return row?.payment ?? null
  })

/** Subscribes, settles the first payment and returns the payment's ID. */
export const subscribe = async (fan: SessionUser, creator: SessionUser, length?: Length) => {
  const paymentId = await beginSubscription(fan, creator, length)
  if (paymentId === null) throw new Error('There is nothing to pay.')
  expect(await settlePayment(paymentId)).toBe(true)
  return paymentId
}

export const cancelSubscription = (fan: SessionUser, creator: SessionUser) =>
  runAs(fan, (tx) => tx`select private.cancel_subscription(${creator.id})`)

export const isSubscribed = async (fan: SessionUser, creator: SessionUser) => {
  const [row] = await runAs(
    fan,
    (tx) => tx<{ subscribed: boolean }[]>`select private.is_subscribed_to(${creator.id}) as subscribed`,
  )
  return row?.subscribed
}

export const listSubscriptions = async (fan: SessionUser, creator: SessionUser) => {
  const rows = await sql<{ id: string; state: string; cancelled: boolean; periods: number; ends: Date }[]>`
    select id, state, cancelled_at is not null as cancelled, periods, period_end as ends
    from public.subscriptions where subscriber_id = ${fan.id} and creator_id = ${creator.id} order by created_at`
  return rows
}

/**
 * Makes the renewals of a user's active subscriptions due: sets the end of the current periods to `interval` ago, and
 * moves the periods of the payments to match.
 */
export const expirePeriod = (fan: SessionUser, interval: string) => sql`
  with expired as (
    update public.subscriptions set period_end = now() - ${interval}::interval, renewal_begun_at = null
    where subscriber_id = ${fan.id} and state = 'active' returning id, period_end)
  update public.payments p
  set period_start = case when p.state = 'pending' then expired.period_end else p.period_start - interval '40 days' end
  from expired where p.subscription_id = expired.id`

export const getSubscriberCount = async (creator: SessionUser) =>
  (await sql`select subscribers from public.profile_counts where user_id = ${creator.id}`)[0]?.subscribers
