import { createRandom, type Random, seedOf } from './numbers.ts'
import type { Person } from './people.ts'
import type { DemoPost } from './posts.ts'
import type { Relations } from './relations.ts'

/** One person's like or save of one post. */
export interface Mark {
  post: string
  user: string
  at: Date
}

const hour = 3_600_000

/**
 * Draws likes and saves. A few posts do very well and most modestly; followers see more than strangers do; nobody
 * likes what they may not see.
 */
export function makeReactions(
  people: Person[],
  posts: DemoPost[],
  relations: Relations,
  now: Date,
): { likes: Mark[]; saves: Mark[] } {
  const byName = new Map(people.map((person) => [person.username, person]))
  const follows = new Set(relations.follows.map(({ from, to }) => `${from} ${to}`))
  const blocked = new Set(relations.blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))
  const likes: Mark[] = []
  const saves: Mark[] = []
  for (const post of posts) {
    const author = byName.get(post.author)
    if (!author) continue
    // A stream for each post: what one post gets does not depend on the others.
    const random = createRandom(seedOf(post.id))
    const appeal = draw(author, random)
    for (const reader of people) {
      const edge = `${reader.username} ${post.author}`
      const follower = follows.has(edge)
      if (reader === author || blocked.has(edge) || !maySee(author, follower)) continue
      const joined = now.getTime() - reader.joined * 24 * hour
      // Few people scroll back to what was there before they came.
      const there = joined < post.at.getTime() ? 1 : 0.15
      const share = appeal * (reader.activity ?? 0.5) * (follower ? 1 : 0.2) * there
      if (!random.chance(Math.min(0.95, share))) continue
      const at = new Date(reactedAt(Math.max(post.at.getTime(), joined), now.getTime(), random))
      likes.push({ post: post.id, user: reader.username, at })
      const keen = reader.username === 'marisolq' ? 0.12 : 0.03
      if (random.chance(keen)) saves.push({ post: post.id, user: reader.username, at })
    }
  }
  return { likes, saves }
}

const maySee = (author: Person, follower: boolean): boolean =>
  author.visibility === undefined || (author.visibility === 'followers' && follower)

/** How well a post does: around a quarter of those who see it, now and then nearly all of them. */
function draw(author: Person, random: Random): number {
  const bell = random.next() + random.next() + random.next() - 1.5
  return (author.theme ? 0.42 : 0.3) * Math.exp(bell * 1.5)
}

/** Most react within hours, some a week later, nobody in the future. */
export function reactedAt(posted: number, now: number, random: Random): number {
  const [patience, kind, late] = [random.next(), random.chance(0.8), random.next()]
  const delay = -Math.log(1 - patience * 0.999) * (kind ? 5 : 70) * hour
  const room = now - posted
  return posted + (delay < room ? delay : room * late)
}
