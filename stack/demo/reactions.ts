import type { TransactionSql } from 'postgres'
import { reposts } from './content/recent-posts.ts'
import { type DemoUser, demoUsers, usersByName } from './content/users.ts'
import { fanUsername, idOf, userIdOf } from './ids.ts'
import type { DemoPost } from './posts.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import { blockedPairs, followPairs, type Relations } from './relations.ts'
import { daysBefore, hourMs } from './time.ts'

/** A like, a save or a repost. */
export interface PostReaction {
  post: string
  user: string
  at: Date
}

interface Reactions {
  likes: PostReaction[]
  saves: PostReaction[]
}

/**
 * Chooses likes and saves at random. A few posts are popular and most are not. Followers react more often than others,
 * and nobody reacts to a post that they cannot see.
 */
export function makeReactions(posts: DemoPost[], relations: Relations, now: Date): Reactions {
  const follows = followPairs(relations)
  const blocked = blockedPairs(relations)
  const reactions: Reactions = { likes: [], saves: [] }
  for (const post of posts) {
    const author = usersByName.get(post.author)
    if (!author) continue
    // Seeded per post, so that the reactions to one post do not depend on other posts.
    const random = createRandom(seedOf(post.id))
    const popularity = drawPopularity(author, random)
    for (const reader of demoUsers) {
      const pair = `${reader.username} ${post.author}`
      const isFollower = follows.has(pair)
      const canSee = author.visibility === undefined || isFollower
      if (reader === author || blocked.has(pair) || !canSee) continue
      const joinedAt = daysBefore(now, reader.joined).getTime()
      // Few users scroll back to posts from before they joined.
      const reach = (isFollower ? 1 : 0.2) * (joinedAt < post.at.getTime() ? 1 : 0.15)
      if (!random.chance(Math.min(0.95, popularity * (reader.activity ?? 0.5) * reach))) continue
      const at = drawReactionTime(Math.max(post.at.getTime(), joinedAt), now.getTime(), random)
      const reaction = { post: post.id, user: reader.username, at: new Date(at) }
      reactions.likes.push(reaction)
      if (random.chance(reader.username === fanUsername ? 0.12 : 0.03)) reactions.saves.push(reaction)
    }
  }
  return reactions
}

export const makeReposts = (now: Date): PostReaction[] =>
  reposts.map(([user, hoursAgo, post]) => ({
    user,
    post: idOf('post', post),
    at: new Date(now.getTime() - hoursAgo * hourMs),
  }))

/**
 * Returns a random popularity for a post: the chance that a follower with an `activity` of 1 likes it. It can exceed 1.
 */
function drawPopularity(author: DemoUser, random: Random): number {
  const bell = random.next() + random.next() + random.next() - 1.5
  return (author.theme ? 0.42 : 0.3) * Math.exp(bell * 1.5)
}

/** Returns a random time between `since` and `now`: mostly within hours, sometimes days later. */
export function drawReactionTime(since: number, now: number, random: Random): number {
  const [wait, isQuick, late] = [random.next(), random.chance(0.8), random.next()]
  const delay = -Math.log(1 - wait * 0.999) * (isQuick ? 5 : 70) * hourMs
  const room = now - since
  return since + (delay < room ? delay : room * late)
}

/**
 * Inserts likes, saves and reposts. The caller must have disabled triggers, because the notifications that they create
 * would have the current time.
 */
export async function insertReactions(
  tx: TransactionSql,
  reactions: Reactions & { reposts: PostReaction[] },
): Promise<void> {
  for (const table of ['likes', 'saves', 'reposts'] as const) {
    const rows = reactions[table].map((reaction) => ({ ...reaction, user: userIdOf(reaction.user) }))
    await tx`
      insert into public.${tx(table)} (post_id, user_id, created_at)
      select r.post, r.user, r.at from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as r (post uuid, "user" uuid, at timestamptz)`
  }
}
