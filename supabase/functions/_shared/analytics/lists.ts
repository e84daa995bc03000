import { z } from 'zod'
import type { AnalyticsAudience, BestHours, TopPost } from '../contract/analytics.ts'
import { limits } from '../contract/limits.ts'
import { asGuardedUser } from '../db/run.ts'
import { shares } from '../earnings/shares.ts'
import type { JsonText } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { spanOf } from './days.ts'
import { type Asked, requireOwn } from './figures.ts'

/** Characters of a post that tell which it is. */
const excerpt = 140

/**
 * The caller's posts with the most views in a period, of two alike the one with more likes. Of a premium post the text
 * that is paid for: it is their own.
 *
 * @throws ApiError 401, 403
 */
export async function topPosts(caller: Caller, asked: Asked): Promise<JsonText<TopPost[]>> {
  const { first } = spanOf(asked.period)
  const [, rows] = await asGuardedUser(caller, (tx) => [
    requireOwn(tx, asked.userId),
    tx<{ item: JsonText<TopPost> }[]>`
      select json_build_object(
        'id', best.id, 'content', left(coalesce(paid.content, best.content), ${excerpt}::int), 'viewCount', best.views,
        'likeCount', best.likes_count, 'commentCount', best.comments_count, 'isPremium', best.is_premium,
        'createdAt', best.created_at)::text as item
      from (
        select p.*, found.views
        from (
          select d.post_id, sum(d.views) as views from public.post_days d
          where d.author_id = ${caller.userId}::text::uuid and d.day >= ${first}::text::date
          group by d.post_id) found
        join public.posts p on p.id = found.post_id
        order by found.views desc, p.likes_count desc, p.created_at desc, p.id limit ${limits.topPosts}::int) best
      left join lateral (select c.content from public.premium_contents c where c.post_id = best.id) paid on true
      order by best.views desc, best.likes_count desc, best.created_at desc, best.id`,
  ])
  return `[${rows.map(({ item }) => item).join(',')}]`
}

const AgeGroups = z.array(z.object({ range: z.string(), people: z.number() }))
const Countries = z.array(z.object({ name: z.string(), people: z.number() }))

/**
 * Of whom the caller's followers consist, as the job counted it last: the share of each group among those shown.
 *
 * @throws ApiError 401, 403
 */
export async function audience(caller: Caller, userId: string): Promise<AnalyticsAudience> {
  const [, [row]] = await asGuardedUser(caller, (tx) => [
    requireOwn(tx, userId),
    tx<{ ages: unknown; countries: unknown; at: Date }[]>`
      select a.age_groups as ages, a.countries, a.counted_at as at from private.own_audience() a`,
  ])
  const ages = AgeGroups.parse(row?.ages ?? [])
  const countries = Countries.parse(row?.countries ?? [])
  const ofAges = shares(ages.map(({ people }) => people))
  const ofCountries = shares(countries.map(({ people }) => people))
  return {
    ageGroups: ages.map(({ range }, at) => ({ range, percentage: ofAges[at] ?? 0 })),
    countries: countries.map(({ name }, at) => ({ name, percentage: ofCountries[at] ?? 0 })),
    countedAt: row?.at.toISOString() ?? null,
  }
}

/**
 * Views of the caller's posts by weekday and hour in UTC, where there were any: of the period, and on average. A month
 * has five of some weekdays and four of others, and today is not over: averages are over whole days.
 *
 * @throws ApiError 401, 403
 */
export async function bestHours(caller: Caller, asked: Asked): Promise<BestHours> {
  const { first, today, wholeDays } = spanOf(asked.period)
  const [, rows] = await asGuardedUser(caller, (tx) => [
    requireOwn(tx, asked.userId),
    tx<{ weekday: number; hour: number; views: number; whole: number }[]>`
      select (extract(isodow from h.day) - 1)::int as weekday, h.hour::int as hour,
             coalesce(sum(h.views) filter (where h.day >= ${first}::text::date), 0)::int as views,
             coalesce(sum(h.views) filter (where h.day < ${today}::text::date), 0)::int as whole
      from public.creator_hours h
      where h.creator_id = ${caller.userId}::text::uuid and h.day >= ${wholeDays[0] ?? first}::text::date and h.views > 0
      group by 1, 2 order by 1, 2`,
  ])
  const times = weekdayCounts(wholeDays)
  return rows.map(({ weekday, hour, views, whole }) => ({
    weekday,
    hour,
    views,
    average: whole / (times[weekday] || 1),
  }))
}

/** How often each weekday, Monday first, is among these days. */
function weekdayCounts(days: readonly string[]): number[] {
  const counts = Array.from({ length: 7 }, () => 0)
  for (const day of days) {
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
    counts[weekday] = (counts[weekday] ?? 0) + 1
  }
  return counts
}
