import { createRandom, idOf, seedOf } from './numbers.ts'
import type { Person } from './people.ts'
import type { DemoPost } from './posts.ts'
import { reactedAt } from './reactions.ts'
import type { Relations } from './relations.ts'
import { premium } from './texts/premium.ts'
import { week } from './texts/week.ts'

/** Somebody paid for a post and can read it since. */
export interface DemoUnlock {
  payment: string
  transaction: string
  post: string
  user: string
  author: string
  cents: number
  fee: number
  at: Date
}

const [hour, day] = [3_600_000, 86_400_000]

/** The platform's share, as the migrations set it. */
const feePercent = 10

/** What the demo's fan has opened; the other posts stay locked for them. */
const fan = 'marisolq'
const opened = new Set(['kavyalooksup', 'delroy_keys'])

/** The posts that are paid for, and what was written in the last week. */
export function makeMorePosts(now: Date): DemoPost[] {
  const paid = premium.map(({ author, price, age, teaser, content, pictured, included }) => ({
    id: idOf('post', `${author} paid ${age}`),
    author,
    content,
    price,
    teaser,
    pictured: pictured ?? false,
    included: included ?? false,
    at: new Date(now.getTime() - age * day),
  }))
  const recent = week.map(([author, hours, content]) => {
    const id = idOf('post', `${author} week ${hours}`)
    return {
      id,
      author,
      content,
      pictured: createRandom(seedOf(`pictured ${id}`)).chance(0.6),
      at: new Date(now.getTime() - hours * hour),
    }
  })
  return [...paid, ...recent]
}

/** Draws who paid for what: followers more than strangers, nobody across a block, each once. */
export function makeUnlocks(
  people: Person[],
  posts: DemoPost[],
  relations: Relations,
  now: Date,
): DemoUnlock[] {
  const follows = new Set(relations.follows.map(({ from, to }) => `${from} ${to}`))
  const blocked = new Set(relations.blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))
  const unlocks: DemoUnlock[] = []
  for (const { id, author, price, at } of posts) {
    if (price === undefined) continue
    const random = createRandom(seedOf(`unlocks ${id}`))
    for (const { username, activity, joined } of people) {
      const edge = `${username} ${author}`
      const share = (follows.has(edge) ? 0.7 : 0.12) * (activity ?? 0.5)
      const draws = random.chance(share)
      const here = Math.max(at.getTime(), now.getTime() - joined * day)
      const when = reactedAt(here, now.getTime(), random)
      if (username === author || blocked.has(edge)) continue
      if (username === fan ? !opened.has(author) : !draws) continue
      const cents = Math.round(price * 100)
      unlocks.push({
        payment: idOf('payment', `${id} ${username}`),
        transaction: idOf('transaction', `${id} ${username}`),
        post: id,
        user: username,
        author,
        cents,
        fee: Math.round((cents * feePercent) / 100),
        at: new Date(when),
      })
    }
  }
  return unlocks
}
