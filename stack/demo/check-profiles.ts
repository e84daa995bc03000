import type { TransactionSql } from 'postgres'

/** How many rows break a rule of subscriptions, galleries and what people tell, by rule. */
export async function faultsOfProfiles(tx: TransactionSql): Promise<Record<string, number>> {
  const [faults] = await tx<Record<string, number>[]>`
    select
      (select count(*) from public.subscriptions s
        left join (select subscription_id, count(*) as n, max(period_start) as last, sum(amount_cents) as cents
                   from public.payments where state = 'paid' group by 1) y on y.subscription_id = s.id
        left join public.profiles c on c.id = s.creator_id and c.is_creator
        where c.id is null or s.state = 'pending' or y.n is distinct from s.periods
           or y.cents is distinct from s.periods * s.price_cents
           or s.period_end <> s.started_at + s.periods * interval '1 month'
           or y.last is distinct from s.started_at + (s.periods - 1) * interval '1 month'
           or (s.state = 'active') <> (s.period_end > now())
           or s.cancelled_at not between y.last and s.period_end
           or greatest(s.started_at, y.last, s.cancelled_at, s.ended_at) > now())::int as "months of subscriptions",
      (select count(*) from public.payments y
        left join public.subscriptions s on s.id = y.subscription_id and s.subscriber_id = y.payer_id
          and s.creator_id = y.payee_id
        where y.kind = 'subscription' and s.id is null)::int as "months of nothing",
      (select count(*) from public.profile_counts c
        left join (select creator_id, count(*) as n from public.subscriptions where state = 'active' group by 1) s
          on s.creator_id = c.user_id
        where c.subscribers <> coalesce(s.n, 0))::int as "counts of subscribers",
      (select count(*) from public.gallery_items g left join public.media m on m.id = g.media_id
        where (m.owner_id, m.state) is distinct from (g.user_id, 'ready') or g.created_at > now()
           or exists (select from public.posts p where p.media_id = g.media_id)
           or exists (select from public.premium_contents p where p.media_id = g.media_id))::int as "pictures of galleries",
      (select count(*) from public.profiles p left join public.profile_about a on a.user_id = p.id
        where a.user_id is null or a.age < 18)::int as "words about people",
      (select count(*) from auth.users u where (
          select count(*) from public.profiles p
          join public.accounts a on a.user_id = p.id and a.email = u.email
          join public.profile_details d on d.user_id = p.id
          join public.profile_counts c on c.user_id = p.id
          join public.user_counters n on n.user_id = p.id
          join public.person_settings s on s.user_id = p.id
          join auth.identities i on i.user_id = p.id
          where p.id = u.id) <> 1
          or u.raw_user_meta_data::jsonb ?| array['username', 'full_name', 'phone_number'])::int as "parts of people",
      (select count(*) from public.posts p
        where p.included_in_subscription and not p.is_premium)::int as "free posts that are included"`
  return faults ?? { everything: 1 }
}
