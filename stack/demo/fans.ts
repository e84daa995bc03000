import { countries, firstNames, lastNames } from './content/fans.ts'
import type { DemoUser } from './content/users.ts'
import { creatorUsername as creator, idOf } from './ids.ts'
import { type DemoTip, type DemoUnlock, drawTip } from './payments.ts'
import type { DemoPost } from './posts.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import type { Relation } from './relations.ts'
import type { DemoSubscription } from './subscriptions.ts'
import { dayMs, daysBefore, hourMs, minuteMs } from './time.ts'

/** Everything that the fans did over the year. */
interface FanActivity {
  follows: Relation[]
  subscriptions: DemoSubscription[]
  unlocks: DemoUnlock[]
  tips: DemoTip[]
}

const fanCount = 470
/** Days since the first fan registered. */
const oldestDays = 352

/** The relative activity in each month from January to December: high before Christmas, low in summer. */
const seasonality = [0.95, 1, 1.02, 1.05, 1, 0.9, 0.72, 0.68, 0.95, 1.05, 1.15, 1.3]
export const seasonalityAt = (time: number): number => seasonality[new Date(time).getUTCMonth()] ?? 1

/** Creates the fans: users who follow one creator and are hidden from the directory and from Discover. */
export function makeFans(now: Date): DemoUser[] {
  const random = createRandom(seedOf('fans'))
  return Array.from({ length: fanCount }, (_, index) => {
    const first = firstNames[index % firstNames.length] ?? ''
    const last = lastNames[(index * 7 + Math.floor(index / firstNames.length)) % lastNames.length] ?? ''
    return {
      username: `${first}_${last}`.toLowerCase(),
      name: `${first} ${last}`,
      bio: '',
      joined: drawDaysSinceJoined(random, now),
      discoverable: false,
      inDirectory: false,
      noPicture: true,
      age: random.chance(0.9) ? drawAge(random) : null,
      country: drawCountry(random),
    }
  })
}

/** Decides at random how many days ago a fan joined. More joined recently than long ago, and more in busy months. */
function drawDaysSinceJoined(random: Random, now: Date): number {
  for (;;) {
    const days = Math.max(0.4, oldestDays * (1 - random.next() ** 0.72))
    if (random.next() * 1.3 < seasonalityAt(now.getTime() - days * dayMs)) return days
  }
}

/** Returns a random age. Most fans are between 25 and 45. */
const drawAge = (random: Random): number =>
  Math.round(18 + (random.next() + random.next() + random.next()) * 11 + (random.chance(0.16) ? 18 : 0))

function drawCountry(random: Random): string | null {
  let rest = random.next() * 100
  for (const [country, percent] of countries) {
    rest -= percent
    if (rest < 0) return country
  }
  return null
}

/** Decides at random what fans do: all follow the creator, nearly all subscribe, and some tip or unlock posts. */
export function makeFanActivity(fans: DemoUser[], posts: DemoPost[], now: Date): FanActivity {
  const activity: FanActivity = { follows: [], subscriptions: [], unlocks: [], tips: [] }
  const premiumPosts = posts.filter(({ author, price }) => author === creator && price !== undefined)
  for (const { username, joined } of fans) {
    const random = createRandom(seedOf(`fan ${username}`))
    const joinedAt = daysBefore(now, joined).getTime()
    const followedAt = joinedAt + Math.min((now.getTime() - joinedAt) / 2, random.between(2, 50) * minuteMs)
    activity.follows.push({ from: username, to: creator, at: new Date(followedAt) })
    const subscription = drawSubscription(random, username, followedAt, now)
    if (subscription) activity.subscriptions.push(subscription)
    for (const post of premiumPosts) {
      const unlock = drawUnlock(random, username, post, followedAt, subscription, now)
      if (unlock) activity.unlocks.push(unlock)
    }
    activity.tips.push(...drawTips(random, username, followedAt, now))
  }
  return activity
}

// drawSubscription and drawUnlock draw all their random numbers before they can return, so that their results do not
// change later draws.

function drawSubscription(
  random: Random,
  user: string,
  followedAt: number,
  now: Date,
): DemoSubscription | null {
  const [subscribes, wait, ends, endFraction, cancels] = [
    random.chance(0.94),
    random.next(),
    random.chance(0.16),
    random.next(),
    random.chance(0.04),
  ]
  if (!subscribes) return null
  const start = followedAt + Math.min((now.getTime() - followedAt) * 0.6, wait ** 3 * 20 * dayMs)
  // A month has at most 31 days, so at least this many months have passed.
  const months = Math.floor((now.getTime() - start) / (31 * dayMs))
  const endedAfter = ends && months > 0 ? 1 + Math.floor(endFraction * months * 0.999) : null
  const id = idOf('subscription', `${user} ${creator}`)
  return { id, user, creator, at: new Date(start), endedAfter, cancelled: endedAfter === null && cancels }
}

/**
 * Decides at random whether a fan unlocked a post. Subscribers do not unlock posts that their subscription includes.
 */
function drawUnlock(
  random: Random,
  user: string,
  post: DemoPost,
  followedAt: number,
  subscription: DemoSubscription | null,
  now: Date,
): DemoUnlock | null {
  const isIncluded = post.included === true && subscription !== null
  const [unlocks, wait] = [random.chance(isIncluded ? 0 : 0.09), random.next()]
  const at = Math.max(post.at.getTime(), followedAt) - Math.log(1 - wait * 0.999) * 30 * dayMs
  if (!unlocks || at > now.getTime()) return null
  return { payment: idOf('payment', `${post.id} ${user}`), post, user, at: new Date(at) }
}

/** Returns random tips from a fan. About a third of the fans tip now and then, more often in busy months. */
function drawTips(random: Random, user: string, followedAt: number, now: Date): DemoTip[] {
  const tips: DemoTip[] = []
  if (!random.chance(0.3)) return tips
  const first = followedAt + random.next() * 30 * dayMs
  for (let at = first; at < now.getTime(); at += random.between(14, 60) * dayMs) {
    if (random.next() * 1.2 > seasonalityAt(at)) continue
    tips.push(drawTip(random, user, creator, new Date(at + random.next() * hourMs * 3)))
  }
  return tips.filter((tip) => tip.at < now)
}
