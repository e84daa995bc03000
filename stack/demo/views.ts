import { seasonOf } from './fans.ts'
import { createRandom, idOf, type Random, seedOf } from './numbers.ts'
import type { Person } from './people.ts'
import type { DemoPost } from './posts.ts'

/** Views of one post on one day. */
interface PostDay {
  post: string
  author: string
  /** An ISO date in UTC. */
  day: string
  views: number
}
/** Views of one creator's posts in one hour of a day. */
interface CreatorHour {
  creator: string
  day: string
  hour: number
  views: number
}
export interface DemoViews {
  posts: PostDay[]
  hours: CreatorHour[]
}

const [hour, day] = [3_600_000, 86_400_000]

/** How much is looked at by hour (UTC) from midnight: a little at lunch, most in the evening. */
const working = [3, 2, 1, 1, 1, 2, 4, 6, 6, 5, 5, 7, 8, 6, 5, 5, 7, 10, 14, 18, 20, 17, 11, 6]
const weekend = [5, 3, 2, 1, 1, 1, 2, 4, 7, 9, 10, 10, 9, 9, 9, 9, 10, 12, 14, 16, 17, 15, 10, 7]
/** By weekday, Sunday first. */
const weekday = [1.2, 0.95, 0.9, 0.95, 1, 0.95, 1.1]

/** Views a day by now, and for how many days there are figures. */
const usual = { views: 26, days: 120 }
const most = { creator: 'noormakes', views: 385, days: 366 }

/** Draws how often creators' posts were seen, hour by hour, and which of them: new ones most. */
export function makeViews(people: Person[], posts: DemoPost[], now: Date): DemoViews {
  const views: DemoViews = { posts: [], hours: [] }
  for (const { username, theme } of people) {
    if (!theme) continue
    const random = createRandom(seedOf(`views ${username}`))
    const scale = username === most.creator ? most : { ...usual, views: usual.views * random.between(0.4, 2) }
    const theirs = posts.filter(({ author }) => author === username)
    const appeal = new Map(theirs.map(({ id }) => [id, random.between(0.4, 1.6)]))
    for (let back = scale.days; back >= 0; back--) {
      drawDay(views, random, { username, theirs, appeal, scale, back }, now)
    }
  }
  return views
}

interface DayOf {
  username: string
  theirs: DemoPost[]
  appeal: Map<string, number>
  scale: { views: number; days: number }
  /** Days before today. */
  back: number
}

function drawDay(views: DemoViews, random: Random, of: DayOf, now: Date): void {
  const { username, theirs, appeal, scale, back } = of
  const midnight = Math.floor(now.getTime() / day) * day - back * day
  const date = new Date(midnight).toISOString().slice(0, 10)
  // What was there when the day began, and what came this morning a little.
  const there = theirs.filter(({ at }) => at.getTime() < midnight + 8 * hour)
  const grown = 0.12 + 0.88 * (1 - back / scale.days) ** 1.3
  const mood = random.between(0.8, 1.2)
  if (there.length === 0) return
  const dow = new Date(midnight).getUTCDay()
  const wanted = scale.views * grown * mood * seasonOf(midnight) * (weekday[dow] ?? 1)
  const curve = dow === 0 || dow === 6 ? weekend : working
  const all = curve.reduce((sum, part) => sum + part, 0)
  const creator = idOf('person', username)
  let seen = 0
  for (const [at, part] of curve.entries()) {
    // Hours before a post that came today saw the older ones.
    if (midnight + (at + 1) * hour > now.getTime()) break
    const number = Math.floor((wanted * part * random.between(0.75, 1.25)) / all + random.next())
    if (number === 0) continue
    seen += number
    views.hours.push({ creator, day: date, hour: at, views: number })
  }
  for (const [post, number] of spread(seen, there, appeal, midnight)) {
    views.posts.push({ post, author: creator, day: date, views: number })
  }
}

/** Gives each post its part, the newest most; every view is of one of them. */
function spread(
  seen: number,
  there: DemoPost[],
  appeal: Map<string, number>,
  midnight: number,
): [string, number][] {
  const weights = there.map(({ id, at }) => {
    const age = Math.max(0, (midnight - at.getTime()) / day)
    return (appeal.get(id) ?? 1) * (Math.exp(-age / 4) + 0.06 * Math.exp(-age / 90))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const parts: [string, number][] = []
  let [upTo, given] = [0, 0]
  for (const [at, { id }] of there.entries()) {
    upTo += weights[at] ?? 0
    const until = at === there.length - 1 ? seen : Math.round((seen * upTo) / total)
    if (until > given) parts.push([id, until - given])
    given = Math.max(given, until)
  }
  return parts
}
