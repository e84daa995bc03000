import type { TransactionSql } from 'postgres'

/** How many rows break a rule of posts, payments and comments, by rule. */
export async function faultsOfPosts(tx: TransactionSql): Promise<Record<string, number>> {
  const [faults] = await tx<Record<string, number>[]>`
    select
      (select count(*) from public.posts p
        left join (select post_id, count(*) as n from public.comments where hidden is null group by 1) c on c.post_id = p.id
        where p.comments_count <> coalesce(c.n, 0))::int as "comments of posts",
      (select count(*) from public.comments c
        left join (select parent_comment_id, count(*) as n from public.comments where hidden is null group by 1) r
          on r.parent_comment_id = c.id
        where c.replies_count <> coalesce(r.n, 0))::int as "replies of comments",
      (select count(*) from public.comments c
        left join public.comments o on o.id = c.parent_comment_id
        where c.parent_comment_id is not null and (o.id is null or o.post_id <> c.post_id
          or o.parent_comment_id is not null or o.created_at > c.created_at))::int as "replies to nothing",
      (select count(*) from public.comments c
        left join public.posts p on p.id = c.post_id
        left join public.profiles a on a.id = p.author_id
        left join public.unlocks u on u.user_id = c.author_id and u.post_id = c.post_id
        where p.id is null or c.created_at < p.created_at or (c.author_id <> p.author_id and (
          (p.is_premium and (u.user_id is null or u.created_at > c.created_at))
          or (a.visibility <> 'public' and not exists (
               select from public.follows f where f.follower_id = c.author_id and f.followee_id = a.id))))
      )::int as "comments on what is hidden or not there yet",
      (select count(*) from public.posts p
        left join public.premium_contents c on c.post_id = p.id
        left join public.media m on m.id = coalesce(p.media_id, c.media_id)
        where (p.media_type is null) <> (m.id is null) or p.is_premium <> (c.post_id is not null)
           or (m.id is not null and ((m.width, m.height, m.owner_id, m.state)
               is distinct from (p.media_width, p.media_height, p.author_id, 'ready')
             or coalesce(p.alt_text, c.alt_text) is null or length(m.placeholder) > 1100)))::int as "pictures of posts",
      (select count(*) from public.media m
        where not exists (select from public.posts p where p.media_id = m.id)
          and not exists (select from public.premium_contents c where c.media_id = m.id)
          and not exists (select from public.messages s where s.media_id = m.id)
          and not exists (select from public.gallery_items g where g.media_id = m.id))::int as "pictures of nothing",
      (select count(*) from public.posts p join public.profiles a on a.id = p.author_id
        where p.is_premium and (not a.is_creator or p.teaser is null))::int as "premium posts of nobody",
      (select count(*) from public.unlocks u
        left join public.payments y on y.id = u.payment_id and y.payer_id = u.user_id and y.post_id = u.post_id
        left join public.posts p on p.id = u.post_id
        where y.state is distinct from 'paid' or y.payee_id is distinct from p.author_id
           or y.amount_cents <> p.premium_price * 100 or y.fee_cents <> private.fee_of(y.amount_cents)
           or u.user_id = p.author_id or u.created_at < p.created_at or u.created_at <> y.settled_at
      )::int as "unlocks without their payment",
      (select count(*) from public.payments y left join public.unlocks u on u.payment_id = y.id
        where y.kind = 'unlock' and y.state = 'paid' and u.payment_id is null)::int as "payments for nothing",
      (select count(*) from public.payments y
        left join public.ledger_transactions t on t.payment_id = y.id
        left join (select transaction_id, count(*) as n, sum(amount_cents) as rest,
                          sum(amount_cents) filter (where account = 'creator') as creator,
                          sum(amount_cents) filter (where account = 'platform') as platform
                   from public.ledger_entries group by 1) e on e.transaction_id = t.id
        where (e.n, e.rest, e.creator * sign(t.gross_cents), e.platform * sign(t.gross_cents)) is distinct from
              (4::bigint, 0::bigint, (y.amount_cents - y.fee_cents)::float8, y.fee_cents::float8)
      )::int as "balance of the ledger",
      (select count(*) from (
          select p.id, unnest(private.tags_in(private.public_text(p))) as tag from public.posts p
          where p.hidden is null) t
        full join public.post_tags g on g.post_id = t.id and g.tag = t.tag
        where t.id is null or g.post_id is null)::int as "tags of posts",
      (select count(*) from public.notifications n left join public.comments c on c.id = n.comment_id
        where (n.kind in ('comment', 'reply') and c.author_id is distinct from n.actor_id)
           or (n.comment_id is not null and c.id is null))::int as "notifications of no comment"`
  return faults ?? { everything: 1 }
}
