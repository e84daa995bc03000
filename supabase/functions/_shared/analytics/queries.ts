import { z } from 'zod'
import type {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  AnalyticsQuery,
  AnalyticsSources,
  BestHours,
  RecentViews,
  TopPost,
  ViewSource,
  ViewsRequest,
} from '../contract/analytics.ts'
import { limits } from '../contract/limits.ts'
import { type JsonText, type Sql, toJsonArray } from '../db/sql.ts'
import { wholePercentages } from '../earnings/percentages.ts'
import type { Caller } from '../http/caller.ts'
import { PathId } from '../http/params.ts'
import { asUserWithoutSessionCheck } from '../http/run-as.ts'
import { fillDays, type PeriodRange, periodRange, splitByPeriod, splitComparableDays } from './period.ts'

/** The user and the period that a request asks for. `userId` comes from the path and can be any string. */
export type AnalyticsRequest = { userId: string } & AnalyticsQuery

/** The first and the last day of the rows to select. */
type DayLimits = { since: string; until: string }

const withPreviousDays = ({ previousFirstDay, lastDay }: PeriodRange): DayLimits => ({
  since: previousFirstDay,
  until: lastDay,
})

/**
 * Checks that the session is active, that `userId` is the caller's own id and that the caller is a creator. Everything
 * that reads analytics runs this check first. A string that is not an id gets the same error as another user's id.
 *
 * @throws ApiError 401 if the session has ended; 403 for another user's analytics, or `creators_only` if the caller is
 *   not a creator
 */
export const requireAnalyticsOwner = (tx: Sql, userId: string) =>
  tx`select private.require_analytics_owner(${PathId.safeParse(userId).data ?? null}::text::uuid)`

type CreatorDay = {
  day: string
  views: number
  likes: number
  comments: number
  followers: number
  subscribers: number
}

export const emptyDay: Omit<CreatorDay, 'day'> = {
  views: 0,
  likes: 0,
  comments: 0,
  followers: 0,
  subscribers: 0,
}

/** Selects the caller's daily counts: one range scan of the primary key. */
export const selectCreatorDays = (tx: Sql, caller: Caller, { since, until }: DayLimits) => tx<CreatorDay[]>`
  select d.day::text as day, d.views, d.likes, d.comments, d.followers, d.subscribers
  from public.creator_days d
  where d.creator_id = ${caller.userId}::text::uuid
    and d.day between ${since}::text::date and ${until}::text::date`

/** How many characters of a post's text the endpoints return. */
const excerptLength = 140

/**
 * Selects the caller's newest post of each day on which they published one: one index lookup per day, however many
 * posts there are. The text of a premium post is its paid text, because the post is the caller's own.
 */
const selectPublishedPosts = (tx: Sql, caller: Caller, { firstDay, lastDay }: PeriodRange) => tx<
  AnalyticsOverview['publishedPosts']
>`
  select d.first::date::text as day, newest.id, left(coalesce(paid.content, newest.content), ${excerptLength}::int) as content,
         newest.placeholder
  from generate_series(${firstDay}::text::timestamp, ${lastDay}::text::timestamp, '1 day') d (first)
  cross join lateral (
    select p.id, p.content, p.placeholder from public.posts p
    where p.author_id = ${caller.userId}::text::uuid
      and p.created_at >= d.first at time zone 'UTC'
      and p.created_at < (d.first + interval '1 day') at time zone 'UTC'
    order by p.created_at desc, p.id desc limit 1) newest
  left join public.premium_contents paid on paid.post_id = newest.id
  order by d.first`

type EarningSource = 'unlock' | 'subscription' | 'tip'
type EarningDay = { day: string; source: EarningSource; cents: number }

/** Selects what the caller earned per day and source, in cents after the platform fee. */
export const selectEarningDays = (tx: Sql, caller: Caller, { since, until }: DayLimits) => tx<EarningDay[]>`
  select d.day::text as day, d.source, (d.gross_cents - d.fee_cents)::float8 as cents
  from public.earning_days d
  where d.user_id = ${caller.userId}::text::uuid
    and d.day between ${since}::text::date and ${until}::text::date`

/** Returns the cents earned on each day, summed over all sources. */
export function sumCentsByDay(earnings: readonly EarningDay[]): Map<string, number> {
  const byDay = new Map<string, number>()
  for (const { day, cents } of earnings) byDay.set(day, (byDay.get(day) ?? 0) + cents)
  return byDay
}

const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((total, row) => total + value(row), 0)

/**
 * Returns the views, likes and comments for a period and for the same number of days before it, by day and in total.
 *
 * @throws ApiError 401, 403
 */
export async function readAnalyticsOverview(
  caller: Caller,
  request: AnalyticsRequest,
): Promise<AnalyticsOverview> {
  const range = periodRange(request)
  const [, rows, published, [counted]] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, request.userId),
    selectCreatorDays(tx, caller, withPreviousDays(range)),
    selectPublishedPosts(tx, caller, range),
    tx<{ at: Date | null }[]>`select private.analytics_updated_at() as at`,
  ])
  const { current, previous } = splitByPeriod(rows, range)
  const comparable = splitComparableDays(rows, range)
  return {
    ...engagementTotals(current),
    previous: engagementTotals(previous),
    compared: { now: engagementTotals(comparable.current), before: engagementTotals(comparable.previous) },
    days: fillDays(current, range.days, emptyDay).map(toOverviewDay),
    previousDays: fillDays(previous, range.previousDays, emptyDay).map(toOverviewDay),
    publishedPosts: [...published],
    countedAt: counted?.at?.toISOString() ?? null,
  }
}

const toOverviewDay = ({ day, views, likes, comments }: CreatorDay) => ({ day, views, likes, comments })

function engagementTotals(days: readonly CreatorDay[]) {
  const totalViews = sumOf(days, ({ views }) => views)
  const totalLikes = sumOf(days, ({ likes }) => likes)
  const totalComments = sumOf(days, ({ comments }) => comments)
  const engagementRate =
    totalViews === 0 ? null : Math.round(((totalLikes + totalComments) / totalViews) * 1000) / 10
  return { totalViews, totalLikes, totalComments, engagementRate }
}

/**
 * Returns the revenue, new followers and new subscriptions for a period and for the same number of days before it, by
 * day and in total, and the sources of the revenue.
 *
 * @throws ApiError 401, 403
 */
export async function readMonthlyAnalytics(
  caller: Caller,
  request: AnalyticsRequest,
): Promise<AnalyticsMonthly> {
  const range = periodRange(request)
  const [, rows, earnings, [counts]] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, request.userId),
    selectCreatorDays(tx, caller, withPreviousDays(range)),
    selectEarningDays(tx, caller, withPreviousDays(range)),
    tx<{ subscribers: number }[]>`
      select c.subscribers from public.profile_counts c where c.user_id = ${caller.userId}::text::uuid`,
  ])
  const days = splitByPeriod(rows, range)
  const earned = splitByPeriod(earnings, range)
  const comparableDays = splitComparableDays(rows, range)
  const comparableEarned = splitComparableDays(earnings, range)
  const cents = sumCentsByDay(earnings)
  const toMonthlyDay = ({ day, followers, subscribers }: CreatorDay) => ({
    day,
    revenue: (cents.get(day) ?? 0) / 100,
    newFollowers: followers,
    newSubscriptions: subscribers,
  })
  return {
    ...monthlyTotals(days.current, earned.current),
    subscriptions: counts?.subscribers ?? 0,
    previous: monthlyTotals(days.previous, earned.previous),
    compared: {
      now: monthlyTotals(comparableDays.current, comparableEarned.current),
      before: monthlyTotals(comparableDays.previous, comparableEarned.previous),
    },
    days: fillDays(days.current, range.days, emptyDay).map(toMonthlyDay),
    previousDays: fillDays(days.previous, range.previousDays, emptyDay).map(toMonthlyDay),
    sources: revenueSources(earned.current),
  }
}

const monthlyTotals = (days: readonly CreatorDay[], earnings: readonly EarningDay[]) => ({
  revenue: sumOf(earnings, ({ cents }) => cents) / 100,
  newFollowers: sumOf(days, ({ followers }) => followers),
  contentViews: sumOf(days, ({ views }) => views),
  newSubscriptions: sumOf(days, ({ subscribers }) => subscribers),
})

const apiSources = {
  subscription: 'subscription',
  tip: 'tip',
  unlock: 'premium_content',
} as const satisfies Record<EarningSource, string>

/** Returns the sources of the revenue, largest first, except those with an amount of 0. */
function revenueSources(earnings: readonly EarningDay[]): AnalyticsMonthly['sources'] {
  const bySource = new Map<EarningSource, number>()
  for (const { source, cents } of earnings) bySource.set(source, (bySource.get(source) ?? 0) + cents)
  const sources = [...bySource].filter(([, cents]) => cents !== 0).sort(([, a], [, b]) => b - a)
  const percentages = wholePercentages(sources.map(([, cents]) => cents))
  return sources.map(([source, cents], index) => ({
    source: apiSources[source],
    amount: cents / 100,
    percentage: percentages[index] ?? 0,
  }))
}

/**
 * Lists the caller's posts with the most views in a period. Posts with the same number of views are ordered by likes.
 * The list includes the paid text and media of premium posts, because they are the caller's own.
 *
 * @throws ApiError 401, 403
 */
export async function listTopPosts(caller: Caller, request: AnalyticsRequest): Promise<JsonText<TopPost[]>> {
  const { firstDay, lastDay } = periodRange(request)
  const [, rows] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, request.userId),
    tx<{ item: JsonText<TopPost> }[]>`
      select json_build_object(
        'id', best.id, 'content', left(coalesce(paid.content, best.content), ${excerptLength}::int),
        'viewCount', best.views, 'likeCount', best.likes_count, 'commentCount', best.comments_count,
        'isPremium', best.is_premium, 'mediaType', best.media_type,
        'imageUrl', '/api/media/' || case best.media_type
          when 'image' then coalesce(paid.media_id, best.media_id)
          when 'video' then coalesce(paid.poster_id, best.poster_id) end,
        'placeholder', best.placeholder, 'createdAt', best.created_at)::text as item
      from (
        select p.*, found.views
        from (
          select d.post_id, sum(d.views) as views from public.post_days d
          where d.author_id = ${caller.userId}::text::uuid
            and d.day between ${firstDay}::text::date and ${lastDay}::text::date
          group by d.post_id) found
        join public.posts p on p.id = found.post_id
        order by found.views desc, p.likes_count desc, p.created_at desc, p.id limit ${limits.topPosts}::int) best
      left join lateral (select c.* from public.premium_contents c where c.post_id = best.id) paid on true
      order by best.views desc, best.likes_count desc, best.created_at desc, best.id`,
  ])
  return toJsonArray(rows)
}

const AgeGroups = z.array(z.object({ range: z.string(), people: z.number() }))
const Countries = z.array(z.object({ name: z.string(), people: z.number() }))

/**
 * Returns the ages and countries of the caller's followers, as percentages of the followers in the groups shown. The
 * job `roll-up` counts the followers once a day. Absolute numbers would reveal how many followers are in the groups
 * that are too small to be shown.
 *
 * @throws ApiError 401, 403
 */
export async function readAudience(caller: Caller, userId: string): Promise<AnalyticsAudience> {
  const [, [row]] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, userId),
    tx<{ ages: unknown; countries: unknown; at: Date }[]>`
      select a.age_groups as ages, a.countries, a.counted_at as at from private.own_audience() a`,
  ])
  const ages = AgeGroups.parse(row?.ages ?? [])
  const countries = Countries.parse(row?.countries ?? [])
  const agePercentages = wholePercentages(ages.map(({ people }) => people))
  const countryPercentages = wholePercentages(countries.map(({ people }) => people))
  return {
    ageGroups: ages.map(({ range }, index) => ({ range, percentage: agePercentages[index] ?? 0 })),
    countries: countries.map(({ name }, index) => ({ name, percentage: countryPercentages[index] ?? 0 })),
    countedAt: row?.at.toISOString() ?? null,
  }
}

/**
 * Returns the views of the caller's posts by weekday and hour in UTC: the total of the period, and the average per
 * occurrence of the weekday. Averages cover complete days only.
 *
 * @throws ApiError 401, 403
 */
export async function readBestHours(caller: Caller, request: AnalyticsRequest): Promise<BestHours> {
  const { firstDay, lastDay, today, completeDays } = periodRange(request)
  const [, rows] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, request.userId),
    tx<{ weekday: number; hour: number; views: number; completeDayViews: number }[]>`
      select (extract(isodow from h.day) - 1)::int as weekday, h.hour::int as hour,
             coalesce(sum(h.views) filter (where h.day >= ${firstDay}::text::date), 0)::int as views,
             coalesce(sum(h.views) filter (where h.day < ${today}::text::date), 0)::int as "completeDayViews"
      from public.creator_hours h
      where h.creator_id = ${caller.userId}::text::uuid
        and h.day between ${completeDays[0] ?? firstDay}::text::date and ${lastDay}::text::date and h.views > 0
      group by 1, 2 order by 1, 2`,
  ])
  const weekdayCounts = countWeekdays(completeDays)
  return rows.map(({ weekday, hour, views, completeDayViews }) => ({
    weekday,
    hour,
    views,
    average: completeDayViews / (weekdayCounts[weekday] || 1),
  }))
}

/** Counts how often each weekday occurs among the days, Monday first. */
function countWeekdays(days: readonly string[]): number[] {
  const counts = Array.from({ length: 7 }, () => 0)
  for (const day of days) {
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
    counts[weekday] = (counts[weekday] ?? 0) + 1
  }
  return counts
}

/**
 * Returns the views of the caller's posts in the current hour and in each of the 47 hours before it.
 *
 * @throws ApiError 401, 403
 */
export async function readRecentViews(caller: Caller, userId: string): Promise<RecentViews> {
  const [, rows] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, userId),
    tx<{ hour: Date; views: number }[]>`
      select recent.hour, coalesce(h.views, 0) as views
      from generate_series(date_trunc('hour', now(), 'UTC') - interval '47 hours', now(), '1 hour') recent (hour)
      left join public.creator_hours h
        on h.creator_id = ${caller.userId}::text::uuid and h.day = (recent.hour at time zone 'UTC')::date
        and h.hour = extract(hour from recent.hour at time zone 'UTC')
      order by recent.hour`,
  ])
  return {
    totalViews: sumOf(rows, ({ views }) => views),
    hours: rows.map(({ hour, views }) => ({ hour: hour.toISOString(), views })),
  }
}

/**
 * Returns where viewers found the caller's posts in a period, excluding today and days that ended less than two hours
 * ago. A day's sources with fewer than five views are counted under `other`.
 *
 * @throws ApiError 401, 403
 */
export async function readViewSources(caller: Caller, request: AnalyticsRequest): Promise<AnalyticsSources> {
  const { firstDay, lastDay } = periodRange(request)
  const [, rows, [recorded]] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, request.userId),
    tx<{ source: ViewSource; views: number }[]>`
      select s.source, s.views from private.own_view_sources(${firstDay}::text::date, ${lastDay}::text::date) s
      order by s.source = 'other', s.views desc, s.source`,
    tx<{ since: string | null }[]>`select private.own_view_sources_since()::text as since`,
  ])
  const percentages = wholePercentages(rows.map(({ views }) => views))
  return {
    sources: rows.map(({ source, views }, index) => ({ source, views, percentage: percentages[index] ?? 0 })),
    recordedSince: recorded?.since ?? null,
  }
}

/**
 * Records that posts were on the caller's screen, and where the caller found them. The database ignores the caller's
 * own posts, posts that they may not see, and posts that they already viewed in this hour.
 *
 * @throws ApiError 401, 429
 */
export async function recordViews(caller: Caller, { postIds, source }: ViewsRequest): Promise<void> {
  // Sends an array literal as text, because the driver does not know the type of an array parameter.
  const ids = `{${postIds.join(',')}}`
  await asUserWithoutSessionCheck(
    caller,
    (tx) => tx`select private.record_views(${ids}::text::uuid[], ${source}::text)`,
  )
}
