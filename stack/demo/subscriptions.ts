import { createRandom, idOf, seedOf } from './numbers.ts'
import type { Person } from './people.ts'
import type { Relations } from './relations.ts'

/** Somebody subscribes to a creator, or did. */
export interface DemoSubscription {
  id: string
  user: string
  creator: string
  at: Date
  /** Months after which it ended; null while it runs. */
  ended: number | null
  /** It runs, and is not to be renewed. */
  cancelled: boolean
}

const day = 86_400_000

/** What the demo's fan subscribes to, since how many days; the last one ends with its month. */
const fan = 'marisolq'
const chosen: [string, number][] = [
  ['noormakes', 287],
  ['rosalbabakes', 74],
  ['linheats', 19],
]

/** How many of a creator's followers subscribe. */
const share: Record<string, number> = {
  noormakes: 0.5,
  kavyalooksup: 0.2,
  delroy_keys: 0.16,
  astrid_wood: 0.16,
  rosalbabakes: 0.12,
  linheats: 0.12,
  tomaszruns: 0.1,
}

/** Draws who subscribed to whom, over the time since both were here; some left again, and some are about to. */
export function makeSubscriptions(people: Person[], relations: Relations, now: Date): DemoSubscription[] {
  const blocked = new Set(relations.blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))
  const made: DemoSubscription[] = chosen.map(([creator, days], index) => ({
    ...named(fan, creator),
    at: new Date(now.getTime() - days * day),
    ended: null,
    cancelled: index === chosen.length - 1,
  }))
  for (const { from, to, at } of relations.follows) {
    const wanted = share[to] ?? 0
    const random = createRandom(seedOf(`subscription ${from} ${to}`))
    const draws = random.chance(wanted)
    const [wait, left, after, leaving] = [
      random.next(),
      random.chance(0.3),
      random.next(),
      random.chance(0.12),
    ]
    if (!draws || from === fan || blocked.has(`${from} ${to}`)) continue
    const person = people.find(({ username }) => username === from)
    if (!person || person.admin) continue
    const room = now.getTime() - at.getTime()
    const start = at.getTime() + room * wait * 0.6 + 60_000
    // A month has at most 31 days: so many were over for sure.
    const months = Math.floor((now.getTime() - start) / (31 * day))
    const ended = left && months > 0 ? 1 + Math.floor(after * months * 0.999) : null
    made.push({ ...named(from, to), at: new Date(start), ended, cancelled: ended === null && leaving })
  }
  return made
}

const named = (user: string, creator: string) => ({
  id: idOf('subscription', `${user} ${creator}`),
  user,
  creator,
})
