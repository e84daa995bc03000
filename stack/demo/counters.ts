import type { TransactionSql } from 'postgres'

/** Computes the counters and balances, except the unread counts of conversations, which are inserted directly. */
export async function computeCounters(tx: TransactionSql): Promise<void> {
  await tx`
    update public.posts p set likes_count = n.likes
    from (select l.post_id, count(*) as likes from public.likes l group by l.post_id) n
    where n.post_id = p.id`
  await tx`
    update public.posts p set comments_count = n.comments
    from (select c.post_id, count(*) as comments from public.comments c where c.hidden is null
          group by c.post_id) n
    where n.post_id = p.id`
  await tx`
    update public.posts p set unlocks_count = (select count(*) from public.unlocks u where u.post_id = p.id)
    where p.unlocks_count is not null`
  await tx`
    update public.comments c set replies_count = n.replies
    from (select r.parent_comment_id as id, count(*) as replies from public.comments r where r.hidden is null
          group by 1) n
    where n.id = c.id`
  await tx`
    update public.comments c set likes_count = n.likes
    from (select l.comment_id, count(*) as likes from public.comment_likes l group by l.comment_id) n
    where n.comment_id = c.id`
  await tx`
    update public.profile_counts c set
      posts = (select count(*) from public.posts p where p.author_id = c.user_id and p.hidden is null),
      followers = (select count(*) from public.follows f where f.followee_id = c.user_id),
      following = (select count(*) from public.follows f where f.follower_id = c.user_id),
      subscribers = (select count(*) from public.subscriptions s where s.creator_id = c.user_id and s.state = 'active')`
  await tx`
    update public.user_counters c set
      unread_messages = coalesce(
        (select sum(m.unread_count) from public.conversation_members m where m.user_id = c.user_id), 0),
      unread_notifications = (
        select least(100, count(*)) from public.notifications n
        where n.user_id = c.user_id and n.read_at is null and n.is_head)`
  await tx`select private.rebuild_balances()`
}
