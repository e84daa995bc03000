import type { TransactionSql } from 'postgres'

/** Computes the counters and balances, except the unread counts of conversations, which are inserted directly. */
export async function computeCounters(tx: TransactionSql): Promise<void> {
  await tx`
    update public.posts p set
      likes_count = (select count(*) from public.likes l where l.post_id = p.id),
      reposts_count = (select count(*) from public.reposts r where r.post_id = p.id),
      comments_count = (select count(*) from public.comments c where c.post_id = p.id and c.hidden is null),
      unlocks_count = case when p.unlocks_count is not null then
        (select count(*) from public.unlocks u where u.post_id = p.id) end`
  await tx`
    update public.comments c set
      likes_count = (select count(*) from public.comment_likes l where l.comment_id = c.id),
      replies_count = (
        select count(*) from public.comments r where r.parent_comment_id = c.id and r.hidden is null)`
  await tx`
    update public.profile_counts c set
      (posts, photos, videos, premium_posts) = (
        select count(*), count(*) filter (where p.media_type = 'image'),
               count(*) filter (where p.media_type = 'video'), count(*) filter (where p.is_premium)
        from public.posts p where p.author_id = c.user_id and p.hidden is null),
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
