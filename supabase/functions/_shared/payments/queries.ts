import { limits } from '../contract/limits.ts'
import type { CreatorPro, SubscriptionOffer, TipState } from '../contract/payment.ts'
import type { Subscription } from '../contract/subscription.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound, requireRow } from '../http/errors.ts'
import { asService, asUser } from '../http/run-as.ts'
import { subscriptionJson } from './presenter.ts'
import { paymentProvider } from './provider.ts'

/**
 * Returns the price of a subscription to a creator, the longer periods that the creator offers, and the number of posts
 * that it unlocks: those that the creator included for subscribers and whose public part the caller can see.
 *
 * @throws ApiError 400 if the creator is the caller; 403 if the caller may not subscribe to this user; 404 if the user
 *   does not exist, or the user or the caller has blocked the other
 */
export async function readSubscriptionOffer(
  caller: Caller,
  creatorId: string,
): Promise<JsonText<SubscriptionOffer>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_can_subscribe(${creatorId}::text::uuid)`,
    tx<{ item: string }[]>`
      select json_build_object('price', ${limits.subscriptionPrice}::float8, 'lengths', (
        select coalesce(json_agg(json_build_object('months', o.months, 'discount', o.discount,
                                                   'price', o.price_cents / 100.0) order by o.months), '[]')
        from private.subscription_offers o
        where o.creator_id = ${creatorId}::text::uuid and o.months > 1), 'posts', (
        -- Stops counting at one more than the largest number that is shown.
        select count(*) from (
          select from public.posts p
          where p.author_id = ${creatorId}::text::uuid and p.included_in_subscription
          limit ${limits.includedPostsCountCap + 1}) counted))::text as item`,
  ])
  return requireRow(rows).item
}

/** Returns the caller's active subscription to a creator, or null. */
export async function findActiveSubscription(
  caller: Caller,
  creatorId: string,
): Promise<JsonText<Subscription> | null> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select ${subscriptionJson} as item
      from public.subscriptions s left join public.profiles u on u.id = s.creator_id
      where s.subscriber_id = ${caller.userId}::text::uuid and s.creator_id = ${creatorId}::text::uuid
        and s.state = 'active'`,
  )
  return row?.item ?? null
}

/**
 * Returns the caller's current and past subscriptions, newest first, except those that ended before the first payment.
 */
export async function listSubscriptions(caller: Caller, range: PageRange): Promise<Page<Subscription>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${subscriptionJson} as item, ${cursorKey(sql`s.created_at`, sql`s.id`)} as key
      from public.subscriptions s left join public.profiles u on u.id = s.creator_id
      where s.subscriber_id = ${caller.userId}::text::uuid and (s.state <> 'ended' or s.periods > 0)
      ${afterCursor(range, sql`s.created_at`, sql`s.id`)}
      order by s.created_at desc, s.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Cancels the caller's subscription at the end of its period. Repeating the call has no effect. An unpaid or expired
 * subscription ends immediately.
 *
 * @throws ApiError 404 if the caller has no current subscription to the creator
 */
export async function cancelSubscription(caller: Caller, creatorId: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.cancel_subscription(${creatorId}::text::uuid)`)
}

/**
 * Returns the state of one of the caller's tips.
 *
 * @throws ApiError 404 if the caller has no such tip
 */
export async function readTip(caller: Caller, tipId: string): Promise<JsonText<TipState>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select json_build_object(
        'state', case when p.state in ('pending', 'paid') then p.state else 'failed' end,
        'amount', p.amount_cents / 100.0)::text as item
      from public.payments p
      where p.id = ${tipId}::text::uuid and p.kind = 'tip' and p.payer_id = ${caller.userId}::text::uuid`,
  )
  if (!row) throw notFound('Tip not found')
  return row.item
}

/** Returns the caller's Creator Pro plan and what Creator Pro costs. */
export async function readCreatorPro(caller: Caller): Promise<CreatorPro> {
  const [[row], [customer]] = await Promise.all([
    asUser(caller, (tx) => selectPlan(tx, caller)),
    asService(
      (tx) => tx<{ known: boolean }[]>`
        select private.payment_customer(${paymentProvider?.name ?? null}::text, ${caller.userId}::text::uuid)
               is not null as known`,
    ),
  ])
  return {
    billing: row?.billing ?? false,
    price: limits.creatorProPrice,
    plan: row?.plan ?? null,
    lapsedAt: row?.plan ? null : (row?.lapsed ?? null),
    portal: Boolean(paymentProvider?.hostedCheckout && customer?.known),
  }
}

type PlanRow = { billing: boolean; plan: CreatorPro['plan']; lapsed: string | null }

const selectPlan = (tx: Sql, caller: Caller) => tx<PlanRow[]>`
  select private.creator_pro_billing() as billing,
         (select json_build_object('state', s.state, 'periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null)
          from public.creator_plans s
          -- A cancelled plan past its end counts as ended even before the renewals job has updated its row.
          where s.user_id = ${caller.userId}::text::uuid and s.state <> 'ended'
            and (s.cancelled_at is null or s.period_end > now())) as plan,
         (select to_json(max(coalesce(s.ended_at, s.period_end))) #>> '{}' from public.creator_plans s
          where s.user_id = ${caller.userId}::text::uuid and s.periods > 0) as lapsed`

/**
 * Cancels the caller's Creator Pro plan at the end of its month. Repeating the call has no effect. An unpaid or expired
 * plan ends immediately.
 *
 * @throws ApiError 404 if the caller has no current plan
 */
export async function cancelCreatorPro(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.cancel_creator_plan()`)
}
