import type { TransactionSql } from 'postgres'
import { faultsOfAutoPosting } from './check-auto-posts.ts'
import { faultsOfMessages } from './check-messages.ts'
import { faultsOfModeration } from './check-moderation.ts'
import { faultsOfMoney } from './check-money.ts'
import { faultsOfPosts } from './check-posts.ts'
import { faultsOfProfiles } from './check-profiles.ts'

/** Each answers how many rows are wrong. */
interface Faults {
  [rule: string]: number
}

/**
 * Counts everything again, another way than it was written, and looks for what the resting triggers and foreign keys
 * would have refused. Throws with the broken rules; the transaction is then taken back.
 */
export async function checkDemo(tx: TransactionSql): Promise<void> {
  const [faults] = await tx<Faults[]>`
    select
      (select count(*) from public.posts p
        left join (select post_id, count(*) as n from public.likes group by 1) l on l.post_id = p.id
        where p.likes_count <> coalesce(l.n, 0))::int as "likes of posts",
      (select count(*) from public.profiles p
        left join public.profile_counts c on c.user_id = p.id
        left join (select author_id, count(*) as n from public.posts where hidden is null group by 1) a on a.author_id = p.id
        left join (select followee_id, count(*) as n from public.follows group by 1) f on f.followee_id = p.id
        left join (select follower_id, count(*) as n from public.follows group by 1) g on g.follower_id = p.id
        where (c.posts, c.followers, c.following) is distinct from
              (coalesce(a.n, 0)::int, coalesce(f.n, 0)::int, coalesce(g.n, 0)::int))::int as "counts of profiles",
      (select count(*) from public.conversations c
        left join (select conversation_id, count(*) as n, min(seq) as first, max(seq) as last,
                          min(created_at) as at from public.messages group by 1) m on m.conversation_id = c.id
        where (m.first, m.last, m.n, m.at) is distinct from (1::bigint, c.last_seq, c.last_seq, c.created_at)
           or (select count(*) from public.conversation_members x where x.conversation_id = c.id) <> 2
      )::int as "numbers of conversations",
      (select count(*) from public.messages m join public.messages n
         on n.conversation_id = m.conversation_id and n.seq = m.seq + 1 and n.created_at < m.created_at
      )::int as "order of messages",
      (select count(*) from public.messages m left join public.conversations c
         on c.id = m.conversation_id
        and c.user_low = least(m.sender_id::text, m.receiver_id::text)::uuid
        and c.user_high = greatest(m.sender_id::text, m.receiver_id::text)::uuid
       where c.id is null)::int as "people of messages",
      (select count(*) from public.conversation_members x
        join public.conversations c on c.id = x.conversation_id
        left join public.messages m on m.conversation_id = c.id and m.seq = c.last_seq
        where (m.id, m.created_at) is distinct from (x.last_message_id, x.last_message_at)
           or x.unread_count <> (select count(*) from public.messages y where y.conversation_id = c.id
                                 and y.receiver_id = x.user_id and y.seq > x.last_read_seq)
      )::int as "conversation lists",
      (select count(*) from public.profiles p left join public.user_counters c on c.user_id = p.id
        left join (select user_id, sum(unread_count) as n from public.conversation_members group by 1) m
          on m.user_id = p.id
        left join (select user_id, least(100, count(*)) as n from public.notifications
                   where read_at is null and is_head group by 1) o on o.user_id = p.id
        where (c.unread_messages, c.unread_notifications) is distinct from
              (coalesce(m.n, 0)::int, coalesce(o.n, 0)::int))::int as "unread counts",
      (select count(*) from (
          select from public.notifications n group by n.group_id
          having count(*) filter (where n.is_head) <> 1 or count(distinct n.user_id) > 1
              or max(n.people) filter (where n.is_head) <> greatest(1, count(distinct n.actor_id))
              or bool_or(n.is_head and n.created_at < (select max(o.created_at) from public.notifications o
                                                       where o.group_id = n.group_id))
        ) g)::int as "groups of notifications",
      (select count(*) from public.likes l join public.posts p on p.id = l.post_id
        join public.profiles a on a.id = p.author_id
        where l.created_at < p.created_at or l.user_id = p.author_id
           or (a.visibility <> 'public' and not exists (
                select from public.follows f where f.follower_id = l.user_id and f.followee_id = a.id))
      )::int as "likes of what is hidden or not there yet",
      (select count(*) from (
          select follower_id as a, followee_id as b from public.follows
          union all select follower_id, followee_id from public.follow_requests
          union all select l.user_id, p.author_id from public.likes l join public.posts p on p.id = l.post_id
          union all select user_id, actor_id from public.notifications
          union all select c.author_id, p.author_id from public.comments c join public.posts p on p.id = c.post_id
          union all select payer_id, payee_id from public.payments
        ) r join public.blocks x on (x.blocker_id, x.blocked_id) in ((r.a, r.b), (r.b, r.a))
      )::int as "relations across a block",
      (select count(*) from public.follow_requests r join public.profiles p on p.id = r.followee_id
        where p.visibility = 'public' or exists (select from public.follows f
          where f.follower_id = r.follower_id and f.followee_id = r.followee_id))::int as "needless requests",
      (select count(*) from (
          select author_id as id, created_at as at from public.posts
          union all select user_id, created_at from public.likes
          union all select user_id, created_at from public.saves
          union all select author_id, created_at from public.comments
          union all select payer_id, created_at from public.payments
          union all select follower_id, created_at from public.follows
          union all select followee_id, created_at from public.follows
          union all select follower_id, created_at from public.follow_requests
          union all select followee_id, created_at from public.follow_requests
          union all select blocker_id, created_at from public.blocks
          union all select blocked_id, created_at from public.blocks
          union all select sender_id, created_at from public.messages
          union all select receiver_id, created_at from public.messages
          union all select user_id, created_at from public.notifications
          union all select actor_id, created_at from public.notifications where actor_id is not null
        ) r left join public.profiles p on p.id = r.id
        where p.id is null or r.at < p.created_at or r.at > now())::int as "deeds without a person or out of time",
      (select count(*) from (
          select post_id from public.likes union all select post_id from public.saves
          union all select post_id from public.notifications where post_id is not null
        ) r left join public.posts p on p.id = r.post_id where p.id is null)::int as "references to no post"`
  const found = {
    ...faults,
    ...(await faultsOfPosts(tx)),
    ...(await faultsOfProfiles(tx)),
    ...(await faultsOfMessages(tx)),
    ...(await faultsOfMoney(tx)),
    ...(await faultsOfModeration(tx)),
    ...(await faultsOfAutoPosting(tx)),
  }
  const broken = Object.entries(found).filter(([, count]) => count !== 0)
  if (!faults || broken.length > 0) {
    throw new Error(
      `The demo data is not sound: ${broken.map(([rule, count]) => `${rule} (${count})`).join(', ')}.`,
    )
  }
}
