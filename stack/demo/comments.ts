import type { TransactionSql } from 'postgres'
import { generalThreads, premiumThreads, type Thread, themeThreads } from './content/comments.ts'
import { demoUsers, usersByName } from './content/users.ts'
import { idOf, userIdOf } from './ids.ts'
import type { DemoUnlock } from './payments.ts'
import type { DemoPost } from './posts.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import { drawReactionTime } from './reactions.ts'
import { blockedPairs, followPairs, type Relations } from './relations.ts'
import { daysBefore } from './time.ts'

export interface DemoComment {
  id: string
  post: string
  author: string
  /** The id of the comment that this one replies to. */
  parent: string | null
  content: string
  at: Date
}

/**
 * Chooses the comments on posts at random. Only followers of the author start a thread on a free post, and only buyers
 * on a premium post.
 */
export function makeComments(
  posts: DemoPost[],
  relations: Relations,
  unlocks: DemoUnlock[],
  now: Date,
): DemoComment[] {
  const follows = followPairs(relations)
  const blocked = blockedPairs(relations)
  const comments: DemoComment[] = []
  const usedThreads = new Set<string>()

  /** Lets a random reader start the thread, but not before they had registered and could read the post. */
  const addThread = (post: DemoPost, thread: Thread, random: Random): void => {
    const readers = demoUsers.filter(({ username }) => {
      const pair = `${username} ${post.author}`
      if (username === post.author || blocked.has(pair)) return false
      if (post.price !== undefined)
        return unlocks.some((unlock) => unlock.post === post && unlock.user === username)
      return follows.has(pair)
    })
    const reader = readers[Math.floor(random.next() * readers.length)]
    // No thread appears twice on one post.
    const key = `${post.id} ${thread[0]}`
    if (!reader || usedThreads.has(key)) return
    usedThreads.add(key)
    const unlock = unlocks.find(({ post: unlocked, user }) => unlocked === post && user === reader.username)
    const since = Math.max((unlock?.at ?? post.at).getTime(), daysBefore(now, reader.joined).getTime())
    let at = drawReactionTime(since, now.getTime(), random)
    let parent: string | null = null
    for (const [turn, content] of thread.entries()) {
      const id = idOf('comment', `${post.id} ${reader.username} ${content}`)
      const speaker = turn % 2 ? post.author : reader.username
      comments.push({ id, post: post.id, author: speaker, parent, content, at: new Date(at) })
      parent ??= id
      at = drawReactionTime(at, now.getTime(), random)
    }
  }

  for (const post of posts) {
    if (post.price === undefined) continue
    const random = createRandom(Number.parseInt(post.id.slice(0, 8), 16))
    const first = Math.floor(random.next() * premiumThreads.length)
    for (let turn = 0; turn < 3; turn++) {
      const thread = premiumThreads[(first + turn) % premiumThreads.length]
      if (thread) addThread(post, thread, random)
    }
  }
  for (const user of demoUsers) {
    const freePosts = posts
      .filter((post) => post.author === user.username && post.price === undefined)
      .sort((a, b) => b.at.getTime() - a.at.getTime())
    const random = createRandom(Number.parseInt(idOf('talk', user.username).slice(0, 8), 16))
    const threads = user.theme ? themeThreads[user.theme] : generalThreads
    // Visitors open a creator's newest post first, so it gets several threads.
    const [newest] = freePosts
    if (user.theme && newest) {
      const newestRandom = createRandom(seedOf(`newest post ${user.username}`))
      const first = Math.floor(newestRandom.next() * threads.length)
      for (let turn = 0; turn < 3; turn++) {
        const thread = threads[(first + turn) % threads.length]
        if (thread) addThread(newest, thread, newestRandom)
      }
    }
    // A creator's threads are drawn twice: once for a newer and once for an older post.
    for (const half of user.theme ? [0, 1] : [0]) {
      for (const thread of threads) {
        const post = freePosts[Math.floor(((half + random.next()) / 2) * freePosts.length)]
        if (post && random.chance(user.theme ? 0.95 : 0.3)) addThread(post, thread, random)
      }
    }
  }
  return comments
}

export interface CommentLike {
  comment: string
  user: string
  at: Date
}

/** Decides at random who likes which of the comments that they can read: often the post's author, rarely others. */
export function makeCommentLikes(
  comments: DemoComment[],
  posts: DemoPost[],
  relations: Relations,
  unlocks: DemoUnlock[],
  now: Date,
): CommentLike[] {
  const postsById = new Map(posts.map((post) => [post.id, post]))
  const follows = followPairs(relations)
  const blocked = blockedPairs(relations)
  const unlockTimes = new Map(unlocks.map(({ post, user, at }) => [`${post.id} ${user}`, at]))
  return comments.flatMap((comment) => {
    const post = postsById.get(comment.post)
    if (!post) return []
    // Seeded per comment, so that its likes do not depend on other comments.
    const random = createRandom(seedOf(comment.id))
    const popularity = (comment.parent ? 0.03 : 0.07) * random.between(0.2, 2)
    return demoUsers.flatMap((reader): CommentLike[] => {
      const { username } = reader
      const isPostAuthor = username === post.author
      const unlockedAt = unlockTimes.get(`${post.id} ${username}`)
      const canRead =
        isPostAuthor ||
        (!blocked.has(`${username} ${post.author}`) &&
          (post.price === undefined || unlockedAt !== undefined) &&
          (usersByName.get(post.author)?.visibility === undefined ||
            follows.has(`${username} ${post.author}`)))
      if (!canRead || username === comment.author || blocked.has(`${username} ${comment.author}`)) return []
      if (!random.chance(isPostAuthor ? 0.35 : popularity * (reader.activity ?? 0.5))) return []
      const joinedAt = daysBefore(now, reader.joined).getTime()
      const since = Math.max(comment.at.getTime(), joinedAt, unlockedAt?.getTime() ?? 0)
      return [
        { comment: comment.id, user: username, at: new Date(drawReactionTime(since, now.getTime(), random)) },
      ]
    })
  })
}

/** Inserts the likes on comments. Triggers are off, for the same reason as in `insertComments`. */
export async function insertCommentLikes(tx: TransactionSql, likes: CommentLike[]): Promise<void> {
  const rows = likes.map((like) => ({ ...like, user: userIdOf(like.user) }))
  await tx`
    insert into public.comment_likes (comment_id, user_id, created_at)
    select r.comment, r.user, r.at from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r (comment uuid, "user" uuid, at timestamptz)`
}

/** Inserts the comments. Triggers are off, because their notifications would have the current time. */
export async function insertComments(tx: TransactionSql, comments: DemoComment[]): Promise<void> {
  const rows = comments.map((comment) => ({ ...comment, author: userIdOf(comment.author) }))
  await tx`
    insert into public.comments (id, post_id, author_id, parent_comment_id, content, created_at)
    select r.id, r.post, r.author, r.parent, r.content, r.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r (id uuid, post uuid, author uuid, parent uuid, content text, at timestamptz)`
}
