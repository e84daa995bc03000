import type { TransactionSql } from 'postgres'

/** How many rows break a rule of tips, refunds, payouts, totals and figures, by rule. */
export async function faultsOfMoney(tx: TransactionSql): Promise<Record<string, number>> {
  const [faults] = await tx<Record<string, number>[]>`
    select
      (select count(*) from public.ledger_transactions t
        left join (select transaction_id, sum(amount_cents) as rest, count(*) as n,
                          coalesce(sum(amount_cents) filter (where account = 'creator'), 0) as net,
                          coalesce(sum(amount_cents) filter (where label = 'sale'), 0) as gross
                   from public.ledger_entries group by 1) e on e.transaction_id = t.id
        where e.rest is distinct from 0 or e.n < 2 or e.net <> t.net_cents or e.gross <> t.gross_cents
           or t.created_at > now())::int as "transactions and their entries",
      (select count(*) from public.creator_balances b
        full join (select person_id, sum(amount_cents) as cents from public.ledger_entries where account = 'creator'
                   group by 1) e on e.person_id = b.person_id
        where b.total_cents is distinct from e.cents)::int as "balances",
      (select count(*) from public.earning_days d
        full join (select t.person_id, (t.created_at at time zone 'UTC')::date as day, t.source,
                          sum(e.amount_cents) as net
                   from public.ledger_transactions t join public.ledger_entries e
                     on e.transaction_id = t.id and e.account = 'creator'
                   where t.source is not null group by 1, 2, 3) t
          on (t.person_id, t.day, t.source) = (d.person_id, d.day, d.source)
        where (d.gross_cents - d.fee_cents) is distinct from t.net)::int as "days of earnings",
      (select count(*) from public.payments y left join public.profiles p on p.id = y.payee_id and p.is_creator
        where y.kind = 'tip' and (p.id is null or y.amount_cents not between 100 and 50000
          or y.fee_cents <> private.fee_of(y.amount_cents) or y.state <> 'paid'))::int as "tips",
      (select count(*) from public.payments y
        left join (select payment_id, count(*) filter (where kind = 'refund') as back, count(*) as n
                   from public.ledger_transactions where payment_id is not null group by 1) t on t.payment_id = y.id
        where (t.back, t.n) is distinct from case y.state when 'refunded' then (1::bigint, 2::bigint)
                                                          when 'paid' then (0::bigint, 1::bigint) end
           or (y.state = 'refunded' and exists (select from public.unlocks u where u.payment_id = y.id))
      )::int as "refunds",
      (select count(*) from public.payouts p
        left join (select payout_id, string_agg(kind, ' ' order by created_at) as steps
                   from public.ledger_transactions group by 1) t on t.payout_id = p.id
        left join private.payout_targets g on g.payout_id = p.id
        where t.steps is distinct from 'payout' || case p.state when 'paid' then ' payout_paid'
                                                                when 'failed' then ' payout_failed' else '' end
           or p.amount_cents < private.minimum_payout() or (p.state = 'requested') <> (g.payout_id is not null)
           -- No more than there was, and cleared, at the time.
           or (select sum(s.net_cents) from public.ledger_transactions s where s.person_id = p.person_id
                 and s.clears_at <= p.created_at and s.created_at <= p.created_at) < 0)::int as "payouts",
      (select count(*) from public.payouts p where p.state <> 'requested' and not exists (
        select from public.audit_entries a where a.subject = p.id::text and a.target_id = p.person_id
          and a.actor_id = p.settled_by and a.created_at = p.settled_at))::int
        + (case when private.check_audit() is null then 0 else 1 end) as "audit of payouts",
      (select count(*) from public.payout_methods m left join private.payout_details d on d.method_id = m.id
        where d.method_id is null or m.changed_at + private.payout_wait() > now())::int as "payout methods",
      (select count(*) from public.creator_days c
        full join (select author_id, day, sum(views) as views from public.post_days group by 1, 2) p
          on (p.author_id, p.day) = (c.creator_id, c.day)
        full join (select creator_id, day, sum(views) as views from public.creator_hours group by 1, 2) h
          on (h.creator_id, h.day) = (c.creator_id, c.day)
        where coalesce(c.views, 0) <> coalesce(p.views, 0) or coalesce(c.views, 0) <> coalesce(h.views, 0)
           or coalesce(c.day, p.day, h.day) > (now() at time zone 'UTC')::date)::int as "views of days",
      (select count(*) from public.post_days d left join public.posts p on p.id = d.post_id
        where p.author_id is distinct from d.author_id or d.views < 1
           or d.day < (p.created_at at time zone 'UTC')::date)::int as "views of what is not there",
      (select count(*) from public.profiles p
        left join (select creator_id, sum(likes) as likes, sum(followers) as followers from public.creator_days
                   group by 1) d on d.creator_id = p.id
        where coalesce(d.likes, 0) <> (select count(*) from public.likes l join public.posts o on o.id = l.post_id
                                       where o.author_id = p.id and l.user_id <> p.id)
           or coalesce(d.followers, 0) <> (select count(*) from public.follows f where f.followee_id = p.id)
      )::int as "figures of days",
      (select count(*) from (
          select id from public.ledger_transactions union all select id from public.payments
          union all select id from public.payouts union all select id from public.payout_methods
          union all select id from public.subscriptions) i
        where i.id::text !~ '^.{8}-.{4}-[1-8].{3}-[89ab].{3}-.{12}$')::int as "ids",
      (select count(*) from public.posts p where p.product is not null and (p.is_premium or p.content = ''))::int
        as "products"`
  return faults ?? { everything: 1 }
}
