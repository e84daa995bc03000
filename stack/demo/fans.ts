import { createRandom, idOf, type Random, seedOf } from './numbers.ts'
import type { DemoUnlock } from './paid.ts'
import type { Person } from './people.ts'
import type { DemoPost } from './posts.ts'
import type { Edge } from './relations.ts'
import type { DemoSubscription } from './subscriptions.ts'
import { countries, firstNames, lastNames } from './texts/fans.ts'
import { type DemoTip, drawTip } from './tips.ts'

/** Somebody who came for one creator: they follow, subscribe, tip and unlock, and are otherwise not seen. */
export interface Fan extends Person {
  age: number | null
  country: string | null
}

/** What the fans did over the year. */
export interface FanYear {
  follows: Edge[]
  subscriptions: DemoSubscription[]
  unlocks: DemoUnlock[]
  tips: DemoTip[]
}

const count = 470
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Whom all of them follow, and since when there is anybody to follow. */
const creator = 'noormakes'
const oldest = 352

/** How lively a month is, January first: much before Christmas, little in summer. */
const season = [0.95, 1, 1.02, 1.05, 1, 0.9, 0.72, 0.68, 0.95, 1.05, 1.15, 1.3]
export const seasonOf = (time: number): number => season[new Date(time).getUTCMonth()] ?? 1

/** The fans, who came more and more over the year. Their names are of two lists, each pair once. */
export function makeFans(now: Date): Fan[] {
  const random = createRandom(seedOf('fans'))
  return Array.from({ length: count }, (_, index) => {
    const first = firstNames[index % firstNames.length] ?? ''
    const last = lastNames[(index * 7 + Math.floor(index / firstNames.length)) % lastNames.length] ?? ''
    return {
      username: `${first}_${last}`.toLowerCase(),
      name: `${first} ${last}`,
      bio: '',
      joined: daysAgo(random, now),
      discoverable: false,
      inDirectory: false,
      noPicture: true,
      age: random.chance(0.9) ? drawAge(random) : null,
      country: drawCountry(random),
    }
  })
}

/** More lately than long ago, and more in good months. */
function daysAgo(random: Random, now: Date): number {
  for (;;) {
    const days = Math.max(0.4, oldest * (1 - random.next() ** 0.72))
    if (random.next() * 1.3 < seasonOf(now.getTime() - days * day)) return days
  }
}

/** Most are between 25 and 45. */
const drawAge = (random: Random): number =>
  Math.round(18 + (random.next() + random.next() + random.next()) * 11 + (random.chance(0.16) ? 18 : 0))

function drawCountry(random: Random): string | null {
  let rest = random.next() * 100
  for (const [country, share] of countries) {
    rest -= share
    if (rest < 0) return country
  }
  return null
}

/**
 * Draws what each of them did: all follow soon after they came, nearly all subscribe, some tip, some unlock what they
 * want to see.
 */
export function makeFanYear(fans: Fan[], posts: DemoPost[], now: Date): FanYear {
  const year: FanYear = { follows: [], subscriptions: [], unlocks: [], tips: [] }
  const paid = posts.filter(({ author, price }) => author === creator && price !== undefined)
  for (const { username, joined } of fans) {
    const random = createRandom(seedOf(`fan ${username}`))
    const came = now.getTime() - joined * day
    const room = now.getTime() - came
    const followed = came + Math.min(room / 2, random.between(2, 50) * minute)
    year.follows.push({ from: username, to: creator, at: new Date(followed) })
    const subscription = drawSubscription(random, username, followed, now)
    if (subscription) year.subscriptions.push(subscription)
    for (const post of paid) {
      const unlock = drawUnlock(random, username, post, followed, subscription, now)
      if (unlock) year.unlocks.push(unlock)
    }
    year.tips.push(...drawTips(random, username, followed, now))
  }
  return year
}

function drawSubscription(
  random: Random,
  user: string,
  followed: number,
  now: Date,
): DemoSubscription | null {
  const [subscribes, wait, leaves, after, leaving] = [
    random.chance(0.94),
    random.next(),
    random.chance(0.16),
    random.next(),
    random.chance(0.04),
  ]
  if (!subscribes) return null
  const start = followed + Math.min((now.getTime() - followed) * 0.6, wait ** 3 * 20 * day)
  // A month has at most 31 days: so many were over for sure.
  const months = Math.floor((now.getTime() - start) / (31 * day))
  const ended = leaves && months > 0 ? 1 + Math.floor(after * months * 0.999) : null
  const id = idOf('subscription', `${user} ${creator}`)
  return { id, user, creator, at: new Date(start), ended, cancelled: ended === null && leaving }
}

/** Fewer want what their subscription opens anyway. */
function drawUnlock(
  random: Random,
  user: string,
  { id, price = 0, included, at }: DemoPost,
  followed: number,
  subscription: DemoSubscription | null,
  now: Date,
): DemoUnlock | null {
  const opened = included === true && subscription !== null
  const [draws, patience] = [random.chance(opened ? 0 : 0.09), random.next()]
  const from = Math.max(at.getTime(), followed)
  const when = from - Math.log(1 - patience * 0.999) * 30 * day
  if (!draws || when > now.getTime()) return null
  const cents = Math.round(price * 100)
  return {
    payment: idOf('payment', `${id} ${user}`),
    transaction: idOf('transaction', `${id} ${user}`),
    post: id,
    user,
    author: creator,
    cents,
    fee: Math.round(cents / 10),
    at: new Date(when),
  }
}

/** A fan in four tips now and then, more in good months. */
function drawTips(random: Random, user: string, followed: number, now: Date): DemoTip[] {
  const tips: DemoTip[] = []
  if (!random.chance(0.3)) return tips
  for (let at = followed + random.next() * 30 * day; at < now.getTime(); at += random.between(14, 60) * day) {
    if (random.next() * 1.2 > seasonOf(at)) continue
    tips.push(drawTip(random, user, creator, new Date(at + random.next() * hour * 3)))
  }
  return tips.filter((tip) => tip.at < now)
}
