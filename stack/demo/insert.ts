import type { TransactionSql } from 'postgres'
import type { DemoComment } from './comments.ts'
import type { DemoConversation } from './conversations.ts'
import { type DemoItem, insertGallery } from './gallery.ts'
import type { GroupedNotice } from './groups.ts'
import { insertLedger } from './insert-ledger.ts'
import { insertConversations } from './insert-messages.ts'
import { rowsOf, uidOf } from './insert-people.ts'
import { insertComments, insertPosts, insertUnlocks } from './insert-posts.ts'
import { insertSubscriptions } from './insert-subscriptions.ts'
import { insertTips, refundUnlock, updateProducts } from './insert-year.ts'
import type { DemoUnlock } from './paid.ts'
import type { DemoPicture } from './pictures/posts.ts'
import type { DemoPost } from './posts.ts'
import type { DemoProduct } from './products.ts'
import type { Mark } from './reactions.ts'
import type { Edge, Relations } from './relations.ts'
import type { DemoSubscription } from './subscriptions.ts'
import type { DemoTip } from './tips.ts'

/** Everything beside people that the demo consists of. */
export interface DemoData {
  posts: DemoPost[]
  /** By post, message or item of a gallery. */
  pictures: Map<string, DemoPicture>
  products: DemoProduct[]
  unlocks: DemoUnlock[]
  /** The payment of an unlock that was given back. */
  refunded: string | null
  tips: DemoTip[]
  subscriptions: DemoSubscription[]
  gallery: DemoItem[]
  comments: DemoComment[]
  relations: Relations
  likes: Mark[]
  saves: Mark[]
  conversations: DemoConversation[]
  notices: GroupedNotice[]
}

/**
 * Writes the rows as they are, with one statement a table. The caller has switched the triggers off: nobody is told
 * of what happened a year ago, and the counters follow in `countAll`.
 */
export async function insertData(tx: TransactionSql, data: DemoData): Promise<void> {
  // Ids for what the database makes of other rows: the same each time, and of the shape that ids have.
  await tx`
    create function pg_temp.id_of(name text) returns uuid language sql immutable
    return overlay(overlay(md5(name) placing '5' from 13) placing '8' from 17)::uuid`
  await insertPosts(tx, [...data.posts, ...data.products], data.pictures)
  await updateProducts(tx, data.products)
  await insertUnlocks(tx, data.unlocks)
  if (data.refunded !== null) await refundUnlock(tx, data.refunded)
  await insertSubscriptions(tx, data.subscriptions)
  await insertTips(tx, data.tips)
  await insertLedger(tx)
  await insertGallery(tx, data.gallery, data.pictures)
  await insertComments(tx, data.comments)
  await tx`
    insert into public.follows (follower_id, followee_id, created_at)
    select r.from, r.to, r.at from jsonb_to_recordset(${edges(data.relations.follows)}::text::jsonb)
      as r ("from" uuid, "to" uuid, at timestamptz)`
  await tx`
    insert into public.follow_requests (follower_id, followee_id, created_at)
    select r.from, r.to, r.at from jsonb_to_recordset(${edges(data.relations.requests)}::text::jsonb)
      as r ("from" uuid, "to" uuid, at timestamptz)`
  await tx`
    insert into public.blocks (blocker_id, blocked_id, created_at)
    select r.from, r.to, r.at from jsonb_to_recordset(${edges(data.relations.blocks)}::text::jsonb)
      as r ("from" uuid, "to" uuid, at timestamptz)`
  await tx`
    insert into public.likes (post_id, user_id, created_at)
    select r.post, r.user, r.at from jsonb_to_recordset(${marks(data.likes)}::text::jsonb)
      as r (post uuid, "user" uuid, at timestamptz)`
  await tx`
    insert into public.saves (post_id, user_id, created_at)
    select r.post, r.user, r.at from jsonb_to_recordset(${marks(data.saves)}::text::jsonb)
      as r (post uuid, "user" uuid, at timestamptz)`
  await insertConversations(tx, data.conversations, data.pictures)
  const notices = data.notices.map((notice) => ({
    ...notice,
    receiver: uidOf(notice.receiver),
    actor: uidOf(notice.actor),
  }))
  await tx`
    insert into public.notifications
      (id, user_id, actor_id, kind, post_id, comment_id, created_at, read_at, group_id, is_head, people)
    select r.id, r.receiver, r.actor, r.kind, r.post, r.comment, r.at, r."readAt", r."group", r."isHead", r.people
    from jsonb_to_recordset(${rowsOf(notices)}::text::jsonb)
      as r (id uuid, receiver uuid, actor uuid, kind text, post uuid, comment uuid, at timestamptz,
        "readAt" timestamptz, "group" uuid, "isHead" boolean, people integer)`
  // Nobody is to be written to about what happened before there was anybody.
  await tx`
    insert into private.mail_marks (user_id, mailed_until, mailed_at) select p.id, now(), '-infinity' from public.profiles p
    on conflict do nothing`
}

/** Sets every counter that triggers would have kept from what is there. */
export async function countAll(tx: TransactionSql): Promise<void> {
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
    update public.comments c set replies_count = n.replies
    from (select r.parent_comment_id as id, count(*) as replies from public.comments r where r.hidden is null
          group by 1) n
    where n.id = c.id`
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
}

const edges = (list: Edge[]): string =>
  rowsOf(list.map(({ from, to, at }) => ({ from: uidOf(from), to: uidOf(to), at })))

const marks = (list: Mark[]): string => rowsOf(list.map((mark) => ({ ...mark, user: uidOf(mark.user) })))
