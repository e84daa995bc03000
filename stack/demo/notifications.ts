import type { TransactionSql } from 'postgres'
import type { CommentLike, DemoComment } from './comments.ts'
import { demoUsers, usersByName } from './content/users.ts'
import type { DemoConversation } from './conversations.ts'
import { idOf, userIdOf } from './ids.ts'
import type { DemoUnlock } from './payments.ts'
import type { DemoPost } from './posts.ts'
import { createRandom } from './random.ts'
import type { PostReaction } from './reactions.ts'
import { blockedPairs, type Relations } from './relations.ts'
import type { DemoSubscription } from './subscriptions.ts'
import { dayMs, daysBefore, hourMs } from './time.ts'

interface Notification {
  id: string
  recipient: string
  actor: string
  kind:
    | 'follow'
    | 'follow_request'
    | 'follow_accepted'
    | 'like'
    | 'comment'
    | 'reply'
    | 'mention'
    | 'quote'
    | 'repost'
    | 'unlock'
    | 'subscription'
    | 'message'
  post: string | null
  comment: string | null
  at: Date
  readAt: Date | null
}

/** The newest notification of a group is its head, which counts the actors in the group. */
interface DemoNotification extends Notification {
  group: string
  isHead: boolean
  actorCount: number
}

/** The events that cause notifications. */
interface Events {
  posts: DemoPost[]
  relations: Relations
  likes: PostReaction[]
  reposts: PostReaction[]
  comments: DemoComment[]
  commentLikes: CommentLike[]
  unlocks: DemoUnlock[]
  subscriptions: DemoSubscription[]
  conversations: DemoConversation[]
}

/** Creates notifications like those that the platform's functions create, grouped by the same rules. */
export const makeNotifications = (events: Events, now: Date): DemoNotification[] =>
  groupNotifications(makeUngrouped(events, now))

/** Creates ungrouped notifications. Those from before a user's last visit are marked as read. */
function makeUngrouped(events: Events, now: Date): Notification[] {
  const { posts, relations, likes, reposts, comments, commentLikes, unlocks, subscriptions, conversations } =
    events
  const random = createRandom(99)
  const authors = new Map(posts.map((post) => [post.id, post.author]))
  const blocked = blockedPairs(relations)
  const lastVisits = new Map(
    demoUsers.map((user) => [
      user.username,
      now.getTime() - (user.lastSeen ?? random.between(1, 120)) * hourMs,
    ]),
  )
  const notifications: Notification[] = []
  const notify = (
    recipient: string,
    actor: string,
    kind: Notification['kind'],
    at: Date,
    post: string | null = null,
    comment: string | null = null,
  ) => {
    // A block deletes the notifications that the two users received about each other.
    if (recipient === actor || blocked.has(`${recipient} ${actor}`)) return
    const lastVisit = lastVisits.get(recipient) ?? 0
    const readAt =
      at.getTime() < lastVisit
        ? new Date(Math.min(lastVisit, at.getTime() + random.between(0.1, 20) * hourMs))
        : null
    const id = idOf('notice', [recipient, actor, kind, post, ...(comment ? [comment] : [])].join(' '))
    notifications.push({ id, recipient, actor, kind, post, comment, at, readAt })
  }
  for (const { from, to, at } of relations.follows) {
    // The owner of a profile that is not public has accepted a follow request, so the follower is notified.
    if (usersByName.get(to)?.visibility) notify(from, to, 'follow_accepted', at)
    else notify(to, from, 'follow', at)
  }
  for (const { from, to, at } of relations.requests) notify(to, from, 'follow_request', at)
  for (const { post, user, at } of likes) {
    const author = authors.get(post)
    if (author) notify(author, user, 'like', at, post)
  }
  const commenters = new Map(comments.map((comment) => [comment.id, comment.author]))
  for (const { id, post, author: commenter, parent, at } of comments) {
    const author = authors.get(post)
    const repliedTo = parent ? commenters.get(parent) : undefined
    if (repliedTo) notify(repliedTo, commenter, 'reply', at, post, id)
    if (author && author !== repliedTo) notify(author, commenter, 'comment', at, post, id)
  }
  for (const { post, user, at } of unlocks) notify(post.author, user, 'unlock', at, post.id)
  for (const post of posts) {
    for (const name of mentionedUsers(post, now)) notify(name, post.author, 'mention', post.at, post.id)
    const quotedAuthor = post.quotedId && authors.get(post.quotedId)
    if (quotedAuthor) notify(quotedAuthor, post.author, 'quote', post.at, post.id)
  }
  for (const { messages } of conversations) {
    const first = messages[0]
    if (first) notify(first.receiver, first.sender, 'message', first.at)
  }
  for (const { user, creator, at } of subscriptions) notify(creator, user, 'subscription', at)
  const commentsById = new Map(comments.map((comment) => [comment.id, comment]))
  for (const { comment: id, user, at } of commentLikes) {
    const comment = commentsById.get(id)
    if (comment) notify(comment.author, user, 'like', at, comment.post, id)
  }
  for (const { post, user, at } of reposts) {
    const author = authors.get(post)
    if (author) notify(author, user, 'repost', at, post)
  }
  return notifications
}

/**
 * Returns the users mentioned in the public text of a post who had joined before the post was published; none if the
 * author's profile is not public.
 */
function mentionedUsers(post: DemoPost, now: Date): string[] {
  if (usersByName.get(post.author)?.visibility) return []
  const mentions = (post.teaser ?? post.content).matchAll(/(?<![\w@#/&])@([A-Za-z0-9_]{3,30})(?!\w)/g)
  return [...mentions].flatMap(([, name = '']) => {
    const user = usersByName.get(name)
    return user && daysBefore(now, user.joined) < post.at ? [name] : []
  })
}

const groupedKinds = new Set<Notification['kind']>(['like', 'repost', 'follow', 'comment', 'unlock'])
const maxGroupMs = 7 * dayMs

/**
 * Groups notifications of the kinds in `groupedKinds`. Each joins the group of the latest similar one, if that one was
 * still unread and less than a week old.
 */
function groupNotifications(notifications: Notification[]): DemoNotification[] {
  const openGroups = new Map<string, DemoNotification[]>()
  const byTime = [...notifications].sort((a, b) => a.at.getTime() - b.at.getTime())
  return byTime.map((notification) => {
    const grouped: DemoNotification = { ...notification, group: notification.id, isHead: true, actorCount: 1 }
    if (!groupedKinds.has(notification.kind)) return grouped
    // Likes of a post and likes of each of its comments are grouped separately.
    const comment = notification.kind === 'like' ? notification.comment : null
    const key = [notification.recipient, notification.kind, notification.post, comment].join(' ')
    const members = openGroups.get(key) ?? []
    const head = members.at(-1)
    if (head && canJoin(notification, head)) {
      grouped.group = head.group
      members.push(grouped)
      updateGroup(members)
    } else openGroups.set(key, [grouped])
    return grouped
  })
}

const canJoin = ({ at }: Notification, head: Notification) =>
  (head.readAt === null || head.readAt > at) && at.getTime() - head.at.getTime() < maxGroupMs

/** Makes the last member the head, and gives all members the latest `readAt`, or null if one of them is unread. */
function updateGroup(members: DemoNotification[]): void {
  const times = members.map(({ readAt }) => readAt?.getTime() ?? Number.POSITIVE_INFINITY)
  const readAt = Math.max(...times)
  for (const [index, member] of members.entries()) {
    member.isHead = index === members.length - 1
    member.actorCount = member.isHead ? new Set(members.map(({ actor }) => actor)).size : 1
    member.readAt = Number.isFinite(readAt) ? new Date(readAt) : null
  }
}

/** Inserts the rows directly, because `private.create_notification` uses the current time and broadcasts. */
export async function insertNotifications(
  tx: TransactionSql,
  notifications: DemoNotification[],
): Promise<void> {
  const rows = notifications.map((notification) => ({
    ...notification,
    recipient: userIdOf(notification.recipient),
    actor: userIdOf(notification.actor),
  }))
  await tx`
    insert into public.notifications
      (id, user_id, actor_id, kind, post_id, comment_id, created_at, read_at, group_id, is_head, people)
    select r.id, r.recipient, r.actor, r.kind, r.post, r.comment, r.at, r."readAt", r."group", r."isHead",
      r."actorCount"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r (id uuid, recipient uuid, actor uuid, kind text, post uuid, comment uuid, at timestamptz,
        "readAt" timestamptz, "group" uuid, "isHead" boolean, "actorCount" integer)`
  // Prevents emails about the demo's notifications.
  await tx`
    insert into private.notification_mails (user_id, mailed_until, mailed_at)
    select p.id, now(), '-infinity' from public.profiles p on conflict do nothing`
}
