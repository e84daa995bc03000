import type { TransactionSql } from 'postgres'
import { demoUsers } from './content/users.ts'
import { creatorUsername, fanUsername, idOf, userIdOf } from './ids.ts'
import { createRandom, seedOf } from './random.ts'
import { blockedPairs, type Relations } from './relations.ts'
import { dayMs, daysBefore } from './time.ts'

export interface DemoSubscription {
  id: string
  user: string
  creator: string
  at: Date
  /** Months until the subscription ended, or null while it is active. */
  endedAfter: number | null
  /** Whether the subscription is active but will not renew. */
  cancelled: boolean
}

/** The subscriptions of the fan account. The last one is cancelled. */
const fanSubscriptions: [creator: string, daysAgo: number][] = [
  [creatorUsername, 287],
  ['rosalbabakes', 74],
  ['linheats', 19],
]

/** The fraction of a creator's followers who subscribe, by username. */
const subscriptionRates: Record<string, number> = {
  [creatorUsername]: 0.5,
  kavyalooksup: 0.2,
  delroy_keys: 0.16,
  astrid_wood: 0.16,
  rosalbabakes: 0.12,
  linheats: 0.12,
  chiamaka_sews: 0.14,
  mateus_wrench: 0.14,
  yuki_ink: 0.12,
  plot17: 0.1,
  nachofilm: 0.1,
  tomaszruns: 0.1,
}

/** Decides at random which followers subscribed and when; some subscriptions have ended, others are cancelled. */
export function makeSubscriptions(relations: Relations, now: Date): DemoSubscription[] {
  const blocked = blockedPairs(relations)
  const subscriptions: DemoSubscription[] = fanSubscriptions.map(([creator, daysAgo], index) => ({
    ...subscriptionKey(fanUsername, creator),
    at: daysBefore(now, daysAgo),
    endedAfter: null,
    cancelled: index === fanSubscriptions.length - 1,
  }))
  for (const { from, to, at } of relations.follows) {
    const random = createRandom(seedOf(`subscription ${from} ${to}`))
    const isDrawn = random.chance(subscriptionRates[to] ?? 0)
    const [wait, ends, endFraction, cancels] = [
      random.next(),
      random.chance(0.3),
      random.next(),
      random.chance(0.12),
    ]
    if (!isDrawn || from === fanUsername || blocked.has(`${from} ${to}`)) continue
    const user = demoUsers.find(({ username }) => username === from)
    if (!user || user.admin) continue
    const start = at.getTime() + (now.getTime() - at.getTime()) * wait * 0.6 + 60_000
    // A month has at most 31 days, so at least this many months have passed.
    const months = Math.floor((now.getTime() - start) / (31 * dayMs))
    const endedAfter = ends && months > 0 ? 1 + Math.floor(endFraction * months * 0.999) : null
    subscriptions.push({
      ...subscriptionKey(from, to),
      at: new Date(start),
      endedAfter,
      cancelled: endedAfter === null && cancels,
    })
  }
  return subscriptions
}

const subscriptionKey = (user: string, creator: string) => ({
  id: idOf('subscription', `${user} ${creator}`),
  user,
  creator,
})

/**
 * Inserts the subscriptions and a payment for each paid month. For an active subscription, the SQL counts the months
 * until now.
 */
export async function insertSubscriptions(
  tx: TransactionSql,
  subscriptions: DemoSubscription[],
): Promise<void> {
  const rows = JSON.stringify(
    subscriptions.map((subscription) => ({
      ...subscription,
      user: userIdOf(subscription.user),
      creator: userIdOf(subscription.creator),
    })),
  )
  await tx`
    insert into public.subscriptions (id, subscriber_id, creator_id, state, price_cents, periods, started_at, period_end,
      cancelled_at, ended_at, created_at)
    select r.id, r.user, r.creator, case when r."endedAfter" is null then 'active' else 'ended' end,
      private.subscription_price_cents(), m.paid, r.at, r.at + m.paid * interval '1 month',
      -- Cancelled a third of the way through the last month, or through the part of it that has passed.
      case when r.cancelled or r."endedAfter" is not null then
        m.last + (least(now(), r.at + m.paid * interval '1 month') - m.last) / 3 end,
      case when r."endedAfter" is not null then r.at + m.paid * interval '1 month' end, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, "user" uuid, creator uuid, at timestamptz,
      "endedAfter" integer, cancelled boolean),
    lateral (select n as paid, r.at + (n - 1) * interval '1 month' as last from generate_series(1, 60) n
             where n = r."endedAfter" or (r."endedAfter" is null and r.at + n * interval '1 month' > now())
             order by n limit 1) m`
  await tx`
    insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents,
      provider, state, created_at, settled_at)
    select 'subscription', s.subscriber_id, s.creator_id, s.id, t.at, s.price_cents, private.platform_fee_cents(s.price_cents),
      'test', 'paid', t.at, t.at
    from public.subscriptions s, generate_series(1, s.periods) n,
    lateral (select s.started_at + (n - 1) * interval '1 month' as at) t`
}
