import type { Random } from './numbers.ts'
import type { Person } from './people.ts'

export interface Edge {
  from: string
  to: string
  at: Date
}

export interface Relations {
  follows: Edge[]
  requests: Edge[]
  blocks: Edge[]
}

/** Who blocked whom: one of them by the demo's fan, so that the list in Settings has somebody. */
const blocked: [string, string][] = [
  ['marisolq', 'cal_r'],
  ['hana_k', 'cal_r'],
  ['yara_s', 'cal_r'],
  ['signe_r', 'jamal_n'],
]

/** Follows that must be there or must not be, so that every state of the button can be seen. */
const following: [string, string][] = [
  ['noormakes', 'farid_k'],
  ['noormakes', 'marisolq'],
  ['marisolq', 'noormakes'],
  ['marisolq', 'nadia_p'],
  ['marisolq', 'gwen_t'],
  ['marisolq', 'walter_f'],
  ['walter_f', 'marisolq'],
]
const strangers: [string, string][] = [
  ['marisolq', 'mateus_wrench'],
  ['marisolq', 'yuki_ink'],
  ['marisolq', 'tess_w'],
  ['noormakes', 'chiamaka_sews'],
]
const asked: [string, string][] = [
  ['marisolq', 'farid_k'],
  ['noormakes', 'anika_b'],
  ['walter_f', 'farid_k'],
  ['cal_r', 'nadia_p'],
  ['bridget_n', 'signe_r'],
  ['lwazi_m', 'anika_b'],
]

const key = (pair: readonly [string, string]): string => pair.join(' ')

/** Draws who follows whom: creators are followed by many, followers often follow back, blocks allow neither. */
export function makeRelations(people: Person[], now: Date, random: Random): Relations {
  const byName = new Map(people.map((person) => [person.username, person]))
  const timed = ([from, to]: [string, string]): Edge => ({
    from,
    to,
    at: since(byName, from, to, now, random),
  })
  const blocks = blocked.map(timed)
  const never = new Set([
    ...blocked.flatMap(([a, b]) => [key([a, b]), key([b, a])]),
    ...strangers.map(key),
    ...asked.map(key),
  ])
  const always = new Set(following.map(key))
  const pairs = new Map<string, Edge>()
  const add = (pair: [string, string]): void => {
    if (pair[0] !== pair[1] && !never.has(key(pair)) && !pairs.has(key(pair)))
      pairs.set(key(pair), timed(pair))
  }
  for (const pair of following) add(pair)
  for (const from of people) {
    for (const to of people) {
      if (random.chance(interest(from, to)) && !always.has(key([from.username, to.username]))) {
        add([from.username, to.username])
        // Many follow back.
        if (!to.theme && random.chance(0.4) && mayBeDrawn(from)) add([to.username, from.username])
      }
    }
  }
  return { follows: [...pairs.values()], requests: asked.map(timed), blocks }
}

const mayBeDrawn = (person: Person): boolean => person.visibility === undefined

/** How likely `from` is to follow `to`. */
function interest(from: Person, to: Person): number {
  const activity = from.activity ?? 0.5
  if (to.visibility === 'private') return 0
  if (to.visibility === 'followers') return 0.12 * activity
  if (to.username === 'noormakes') return 0.62 + 0.4 * activity
  if (to.theme) return 0.15 + 0.75 * activity
  return (to.admin ? 0.3 : 0.16) * activity
}

/** A time at which both were here, more often early in it. */
function since(byName: Map<string, Person>, from: string, to: string, now: Date, random: Random): Date {
  const days = Math.min(byName.get(from)?.joined ?? 0, byName.get(to)?.joined ?? 0)
  return new Date(now.getTime() - days * (1 - random.next() ** 1.4) * 0.97 * 86_400_000 - 600_000)
}
