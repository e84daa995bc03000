import type { DemoComment } from './comments.ts'
import type { DemoConversation } from './conversations.ts'
import { idOf, type Random } from './numbers.ts'
import type { DemoUnlock } from './paid.ts'
import type { Person } from './people.ts'
import type { DemoPost } from './posts.ts'
import type { Mark } from './reactions.ts'
import type { Relations } from './relations.ts'
import type { DemoSubscription } from './subscriptions.ts'

/** A notification as the platform's triggers would have made it. */
export interface Notice {
  id: string
  receiver: string
  actor: string
  kind:
    | 'follow'
    | 'follow_request'
    | 'follow_accepted'
    | 'like'
    | 'comment'
    | 'reply'
    | 'mention'
    | 'unlock'
    | 'subscription'
    | 'message'
  post: string | null
  comment: string | null
  at: Date
  readAt: Date | null
}

const hour = 3_600_000

/** What everybody was told; what came after they last looked is unread. */
export function makeNotices(
  people: Person[],
  posts: DemoPost[],
  relations: Relations,
  likes: Mark[],
  comments: DemoComment[],
  unlocks: DemoUnlock[],
  subscriptions: DemoSubscription[],
  conversations: DemoConversation[],
  now: Date,
  random: Random,
): Notice[] {
  const byName = new Map(people.map((person) => [person.username, person]))
  const authors = new Map(posts.map((post) => [post.id, post.author]))
  const blocked = new Set(relations.blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))
  const looked = new Map(
    people.map((person) => [
      person.username,
      now.getTime() - (person.lastSeen ?? random.between(1, 120)) * hour,
    ]),
  )
  const notices: Notice[] = []
  const tell = (
    receiver: string,
    actor: string,
    kind: Notice['kind'],
    at: Date,
    post: string | null = null,
    comment: string | null = null,
  ) => {
    // A block takes away what the two were told of each other.
    if (receiver === actor || blocked.has(`${receiver} ${actor}`)) return
    const seen = looked.get(receiver) ?? 0
    const readAt =
      at.getTime() < seen ? new Date(Math.min(seen, at.getTime() + random.between(0.1, 20) * hour)) : null
    notices.push({
      id: idOf('notice', [receiver, actor, kind, post, ...(comment ? [comment] : [])].join(' ')),
      receiver,
      actor,
      kind,
      post,
      comment,
      at,
      readAt,
    })
  }
  for (const { from, to, at } of relations.follows) {
    // Who is followed on request was asked before, and it is the asker who is told.
    if (byName.get(to)?.visibility) tell(from, to, 'follow_accepted', at)
    else tell(to, from, 'follow', at)
  }
  for (const { from, to, at } of relations.requests) tell(to, from, 'follow_request', at)
  for (const { post, user, at } of likes) {
    const author = authors.get(post)
    if (author) tell(author, user, 'like', at, post)
  }
  const speakers = new Map(comments.map((comment) => [comment.id, comment.author]))
  for (const { id, post, author: speaker, parent, at } of comments) {
    const author = authors.get(post)
    const answered = parent ? speakers.get(parent) : undefined
    if (answered) tell(answered, speaker, 'reply', at, post, id)
    if (author && author !== answered) tell(author, speaker, 'comment', at, post, id)
  }
  for (const { post, user, author, at } of unlocks) tell(author, user, 'unlock', at, post)
  for (const { id, author, content, teaser, at } of posts) {
    // Who shows posts to few names nobody else.
    if (byName.get(author)?.visibility) continue
    for (const [, name = ''] of (teaser ?? content).matchAll(/(?<![\w@#/&])@([A-Za-z0-9_]{3,30})(?!\w)/g)) {
      const named = byName.get(name)
      if (named && now.getTime() - named.joined * 24 * hour < at.getTime())
        tell(name, author, 'mention', at, id)
    }
  }
  for (const { messages } of conversations) {
    const first = messages[0]
    if (first) tell(first.receiver, first.sender, 'message', first.at)
  }
  for (const { user, creator, at } of subscriptions) tell(creator, user, 'subscription', at)
  return notices
}
