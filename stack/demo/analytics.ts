import type { TransactionSql } from 'postgres'
import type { ViewSource } from '../../supabase/functions/_shared/contract/analytics.ts'
import { demoUsers } from './content/users.ts'
import { seasonalityAt } from './fans.ts'
import { creatorUsername, userIdOf } from './ids.ts'
import type { DemoPost } from './posts.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import { dayMs, hourMs } from './time.ts'

/** The views of one post on one day. */
interface PostViews {
  post: string
  author: string
  /** ISO 8601 date in UTC. */
  day: string
  views: number
}
/** The views of one creator's posts in one hour. */
interface CreatorViews {
  creator: string
  day: string
  hour: number
  views: number
}
/** The views of one creator's posts on one day from one source. */
interface SourceViews {
  creator: string
  day: string
  source: ViewSource
  views: number
}
interface DemoViews {
  posts: PostViews[]
  hours: CreatorViews[]
  sources: SourceViews[]
}

/** Relative views by source. Each day's views vary randomly around these weights. */
const sourceWeights: [source: ViewSource, weight: number][] = [
  ['home', 44],
  ['profile', 17],
  ['discover', 14],
  ['notification', 9],
  ['topic', 6],
  ['search', 5],
  ['link', 3],
  ['message', 1.5],
  ['other', 0.5],
]

/** Relative views by hour from midnight UTC: a small peak around noon, and a higher one in the evening. */
const workdayCurve = [3, 2, 1, 1, 1, 2, 4, 6, 6, 5, 5, 7, 8, 6, 5, 5, 7, 10, 14, 18, 20, 17, 11, 6]
const weekendCurve = [5, 3, 2, 1, 1, 1, 2, 4, 7, 9, 10, 10, 9, 9, 9, 9, 10, 12, 14, 16, 17, 15, 10, 7]
/** Relative views by weekday, Sunday first. */
const weekdayFactors = [1.2, 0.95, 0.9, 0.95, 1, 0.95, 1.1]

/** How many days up to now have views, and how many views there are per day at the end of that period. */
interface Scale {
  viewsPerDay: number
  days: number
}
const creatorScale: Scale = { viewsPerDay: 26, days: 120 }
const userScale: Scale = { viewsPerDay: 36, days: 120 }
const topCreatorScale: Scale = { viewsPerDay: 385, days: 366 }

/**
 * Generates random views per author and hour, and distributes them among the author's posts: new posts get the most.
 */
export function makeViews(posts: DemoPost[], now: Date): DemoViews {
  const views: DemoViews = { posts: [], hours: [], sources: [] }
  for (const { username, theme } of demoUsers) {
    const random = createRandom(seedOf(`views ${username}`))
    const { viewsPerDay, days } = theme ? creatorScale : userScale
    const scale =
      username === creatorUsername
        ? topCreatorScale
        : { days, viewsPerDay: viewsPerDay * random.between(0.4, 2) }
    const ownPosts = posts.filter(({ author }) => author === username)
    const popularity = new Map(ownPosts.map(({ id }) => [id, random.between(0.4, 1.6)]))
    for (let daysAgo = scale.days; daysAgo >= 0; daysAgo--) {
      drawDay(views, random, { username, ownPosts, popularity, scale, daysAgo }, now)
    }
  }
  return views
}

interface CreatorDay {
  username: string
  ownPosts: DemoPost[]
  popularity: Map<string, number>
  scale: Scale
  daysAgo: number
}

function drawDay(views: DemoViews, random: Random, creatorDay: CreatorDay, now: Date): void {
  const { username, ownPosts, popularity, scale, daysAgo } = creatorDay
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs - daysAgo * dayMs
  const date = new Date(midnight).toISOString().slice(0, 10)
  // Posts published after 08:00 UTC get no views until the next day.
  const published = ownPosts.filter(({ at }) => at.getTime() < midnight + 8 * hourMs)
  const growth = 0.12 + 0.88 * (1 - daysAgo / scale.days) ** 1.3
  const variation = random.between(0.8, 1.2)
  if (published.length === 0) return
  const weekday = new Date(midnight).getUTCDay()
  const expected =
    scale.viewsPerDay * growth * variation * seasonalityAt(midnight) * (weekdayFactors[weekday] ?? 1)
  const curve = weekday === 0 || weekday === 6 ? weekendCurve : workdayCurve
  const total = curve.reduce((sum, part) => sum + part, 0)
  const creator = userIdOf(username)
  let viewed = 0
  for (const [hour, part] of curve.entries()) {
    // Only complete hours have views.
    if (midnight + (hour + 1) * hourMs > now.getTime()) break
    const count = Math.floor((expected * part * random.between(0.75, 1.25)) / total + random.next())
    if (count === 0) continue
    viewed += count
    views.hours.push({ creator, day: date, hour, views: count })
  }
  // New posts get the most views.
  const postWeights = published.map(({ id, at }): [string, number] => {
    const ageDays = Math.max(0, (midnight - at.getTime()) / dayMs)
    return [id, (popularity.get(id) ?? 1) * (Math.exp(-ageDays / 4) + 0.06 * Math.exp(-ageDays / 90))]
  })
  for (const [post, count] of distributeViews(viewed, postWeights)) {
    views.posts.push({ post, author: creator, day: date, views: count })
  }
  const sourceRandom = createRandom(seedOf(`sources ${username} ${date}`))
  const dayWeights = sourceWeights.map(([source, weight]): [ViewSource, number] => [
    source,
    weight * sourceRandom.between(0.6, 1.4),
  ])
  for (const [source, count] of distributeViews(viewed, dayWeights)) {
    views.sources.push({ creator, day: date, source, views: count })
  }
}

/** Distributes all views of a day by weight. */
function distributeViews<Key>(viewed: number, weights: [key: Key, weight: number][]): [Key, number][] {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  const parts: [Key, number][] = []
  let [weightSoFar, viewsSoFar] = [0, 0]
  for (const [index, [key, weight]] of weights.entries()) {
    weightSoFar += weight
    const cumulative = index === weights.length - 1 ? viewed : Math.round((viewed * weightSoFar) / total)
    if (cumulative > viewsSoFar) parts.push([key, cumulative - viewsSoFar])
    viewsSoFar = Math.max(viewsSoFar, cumulative)
  }
  return parts
}

/** Formats a PostgreSQL array, which is much faster than JSON for this many rows. The values must not need quotes. */
const toArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** Inserts the views, then lets the platform's jobs compute the rest of the analytics. */
export async function insertAnalytics(
  tx: TransactionSql,
  { posts, hours, sources }: DemoViews,
): Promise<void> {
  await tx`
    insert into public.post_days (post_id, author_id, day, views)
    select * from unnest(${toArray(posts.map((row) => row.post))}::text::uuid[],
      ${toArray(posts.map((row) => row.author))}::text::uuid[], ${toArray(posts.map((row) => row.day))}::text::date[],
      ${toArray(posts.map((row) => row.views))}::text::integer[])`
  await tx`
    insert into public.creator_hours (creator_id, day, hour, views)
    select * from unnest(${toArray(hours.map((row) => row.creator))}::text::uuid[],
      ${toArray(hours.map((row) => row.day))}::text::date[], ${toArray(hours.map((row) => row.hour))}::text::smallint[],
      ${toArray(hours.map((row) => row.views))}::text::integer[])`
  await tx`
    insert into private.creator_view_sources (creator_id, day, source, views)
    select * from unnest(${toArray(sources.map((row) => row.creator))}::text::uuid[],
      ${toArray(sources.map((row) => row.day))}::text::date[], ${toArray(sources.map((row) => row.source))}::text[],
      ${toArray(sources.map((row) => row.views))}::text::integer[])`
  await tx`
    insert into public.creator_days (creator_id, day, views)
    select d.author_id, d.day, sum(d.views) from public.post_days d group by 1, 2`
  // Makes `roll_up_days` process all days, even if the job has already run on the empty platform.
  await tx`delete from private.rollups`
  await tx`select private.roll_up_days(1000)`
  await tx`select private.roll_up_audiences(1000)`
  await tx`select private.refresh_trending()`
}
