import { createRandom, idOf, type Random, seedOf } from './numbers.ts'
import type { Person } from './people.ts'
import type { Relations } from './relations.ts'
import { tipNotes } from './texts/fans.ts'

/** Somebody gave a creator something for nothing. */
export interface DemoTip {
  id: string
  user: string
  creator: string
  cents: number
  note: string | null
  at: Date
}

/** Amounts in US dollars that people choose, the usual ones more often. */
const amounts = [3, 3, 5, 5, 5, 5, 10, 10, 10, 25]

export function drawTip(random: Random, user: string, creator: string, at: Date): DemoTip {
  const [amount, says, which] = [random.next(), random.chance(0.35), random.next()]
  return {
    id: idOf('tip', `${user} ${creator} ${at.toISOString()}`),
    user,
    creator,
    cents: 100 * (amounts[Math.floor(amount * amounts.length)] ?? 5),
    note: says ? (tipNotes[Math.floor(which * tipNotes.length)] ?? null) : null,
    at,
  }
}

/** Draws who of a creator's followers tipped them, over the time since they follow; nobody across a block. */
export function makeTips(people: Person[], relations: Relations, now: Date): DemoTip[] {
  const byName = new Map(people.map((person) => [person.username, person]))
  const blocked = new Set(relations.blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))
  return relations.follows.flatMap(({ from, to, at }) => {
    const random = createRandom(seedOf(`tip ${from} ${to}`))
    const [draws, when] = [random.chance(0.09), random.next()]
    const tip = drawTip(random, from, to, new Date(at.getTime() + when * (now.getTime() - at.getTime())))
    const [giver, taker] = [byName.get(from), byName.get(to)]
    if (!draws || !taker?.theme || giver?.admin || blocked.has(`${from} ${to}`)) return []
    // Notes are about pots.
    return [taker.theme === 'ceramics' ? tip : { ...tip, note: null }]
  })
}
