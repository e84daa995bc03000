import type { TransactionSql } from 'postgres'
import { rowsOf, uidOf } from './insert-people.ts'
import type { DemoSubscription } from './subscriptions.ts'

/**
 * The subscriptions, and a payment for each month that was paid. Months are counted by the
 * database, as for everybody's; what ended did so when its last month was over.
 */
export async function insertSubscriptions(
  tx: TransactionSql,
  subscriptions: DemoSubscription[],
): Promise<void> {
  const rows = rowsOf(
    subscriptions
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .map((one) => ({ ...one, user: uidOf(one.user), creator: uidOf(one.creator) })),
  )
  await tx`
    insert into public.subscriptions (id, subscriber_id, creator_id, state, price_cents, periods, started_at, period_end,
      cancelled_at, ended_at, created_at)
    select r.id, r.user, r.creator, case when r.ended is null then 'active' else 'ended' end,
      private.subscription_price(), m.paid, r.at, r.at + m.paid * interval '1 month',
      -- Somewhere in the last month.
      case when r.cancelled or r.ended is not null then
        m.last + (least(now(), r.at + m.paid * interval '1 month') - m.last) / 3 end,
      case when r.ended is not null then r.at + m.paid * interval '1 month' end, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, "user" uuid, creator uuid, at timestamptz,
      ended integer, cancelled boolean),
    lateral (select n as paid, r.at + (n - 1) * interval '1 month' as last from generate_series(1, 60) n
             where n = r.ended or (r.ended is null and r.at + n * interval '1 month' > now())
             order by n limit 1) m`
  await tx`
    insert into public.payments (id, kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents,
      provider, state, created_at, settled_at)
    select pg_temp.id_of(s.id || ' payment ' || n), 'subscription', s.subscriber_id, s.creator_id, s.id, t.at, s.price_cents,
      private.fee_of(s.price_cents), 'test', 'paid', t.at, t.at
    from public.subscriptions s, generate_series(1, s.periods) n,
    lateral (select s.started_at + (n - 1) * interval '1 month' as at) t`
}
