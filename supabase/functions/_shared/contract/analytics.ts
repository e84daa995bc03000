import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/*
 * Analytics of a creator's own posts. Days are in UTC. A period ends today or, if `from` and `to` are given, with `to`.
 * `previous` covers the same number of days before the period. `compared` excludes today, which is incomplete: `now`
 * covers the complete days of the period, and `before` covers the same days one period earlier.
 */

export const AnalyticsPeriod = z.enum(['7d', '30d', '90d', '1y'])
export type AnalyticsPeriod = z.infer<typeof AnalyticsPeriod>
export const periodDays: Record<AnalyticsPeriod, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }

const { maxDays, firstDay } = limits.analytics
const dayMs = 24 * 60 * 60_000

/** Returns the current day in UTC. */
export const currentDay = (): string => new Date().toISOString().slice(0, 10)

/** Returns the day that is `count` days after a day. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)

/** Returns the number of days from `from` to `to`, including both. */
export const countDays = ({ from, to }: DayRange): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1

const dayFields = {
  from: z.iso.date('Please choose a start date.'),
  to: z.iso.date('Please choose an end date.'),
}

/** Adds an issue if the days are not a valid range. */
function checkDays({
  value: { from, to },
  issues,
}: z.core.ParsePayload<{ from?: string; to?: string }>): void {
  const reject = (field: 'from' | 'to', message: string) =>
    issues.push({ code: 'custom', input: field, path: [field], message })
  if (from === undefined && to === undefined) return
  if (from === undefined) reject('from', 'Please choose a start date.')
  else if (to === undefined) reject('to', 'Please choose an end date.')
  else if (from < firstDay) reject('from', 'Please choose a start date after 1999.')
  else if (to > currentDay()) reject('to', "Please choose an end date that isn't in the future.")
  else if (to < from) reject('to', "Please choose an end date that isn't before the start date.")
  else if (countDays({ from, to }) > maxDays) reject('to', 'Please choose at most one year.')
}

/** The first and the last day of a range in UTC. It covers at most a year and ends today at the latest. */
export const DayRange = z.object(dayFields).check(checkDays)
export type DayRange = { from: string; to: string }

/** `from` and `to` override `period`. */
export const AnalyticsQuery = z
  .object({
    period: AnalyticsPeriod.default('30d'),
    from: dayFields.from.optional(),
    to: dayFields.to.optional(),
  })
  .check(checkDays)
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>

const Totals = z.object({
  totalViews: z.number().int(),
  totalLikes: z.number().int(),
  totalComments: z.number().int(),
  /** Likes and comments per 100 views, rounded to one decimal. Null if there were no views. */
  engagementRate: z.number().nullable(),
})

const OverviewDay = z.object({
  day: z.iso.date(),
  views: z.number().int(),
  likes: z.number().int(),
  comments: z.number().int(),
})

export const AnalyticsOverview = Totals.extend({
  previous: Totals,
  compared: z.object({ now: Totals, before: Totals }),
  /** Every day of the period, oldest first. */
  days: z.array(OverviewDay),
  /** The same number of days before the period, oldest first. */
  previousDays: z.array(OverviewDay),
  /**
   * The newest post of each day of the period, oldest first. Deleted posts do not count, and days without a post are
   * omitted.
   */
  publishedPosts: z.array(
    z.object({
      day: z.iso.date(),
      id: Id,
      /** The beginning of the post's text. */
      content: z.string(),
      /** A tiny blurred image. */
      placeholder: z.string().nullable(),
    }),
  ),
  /** When the data was last updated; null before the first update. */
  countedAt: Timestamp.nullable(),
})
export type AnalyticsOverview = z.infer<typeof AnalyticsOverview>

const MonthlyTotals = z.object({
  /** US dollars, after the platform fee. */
  revenue: z.number(),
  newFollowers: z.number().int(),
  contentViews: z.number().int(),
  newSubscriptions: z.number().int(),
})

const MonthlyDay = z.object({
  day: z.iso.date(),
  revenue: z.number(),
  newFollowers: z.number().int(),
  newSubscriptions: z.number().int(),
})

/** The period's totals, and the daily values of all of them except `contentViews`. */
export const AnalyticsMonthly = MonthlyTotals.extend({
  /** Current subscribers. */
  subscriptions: z.number().int(),
  previous: MonthlyTotals,
  compared: z.object({ now: MonthlyTotals, before: MonthlyTotals }),
  days: z.array(MonthlyDay),
  previousDays: z.array(MonthlyDay),
  /** The sources of the revenue, largest first. `amount` is in US dollars. `percentage` is a whole number. */
  sources: z.array(
    z.object({
      source: z.enum(['subscription', 'tip', 'premium_content']),
      amount: z.number(),
      percentage: z.number(),
    }),
  ),
})
export type AnalyticsMonthly = z.infer<typeof AnalyticsMonthly>

/** One of the caller's most viewed posts in the period. */
export const TopPost = z.object({
  id: Id,
  /** The beginning of the post's text. */
  content: z.string(),
  /** Views in the period. */
  viewCount: z.number().int(),
  /** Current likes and comments. */
  likeCount: z.number().int(),
  commentCount: z.number().int(),
  isPremium: z.boolean(),
  mediaType: z.enum(['image', 'video']).nullable(),
  /** The image, or the poster of the video. */
  imageUrl: z.string().nullable(),
  /** A tiny blurred image. */
  placeholder: z.string().nullable(),
  createdAt: Timestamp,
})
export type TopPost = z.infer<typeof TopPost>
export const TopPosts = z.array(TopPost).max(limits.topPosts)

/**
 * The age groups and countries of the creator's followers. Groups of fewer than five followers are left out, and
 * percentages are relative to the total of the remaining groups. Updated once a day.
 */
export const AnalyticsAudience = z.object({
  ageGroups: z.array(z.object({ range: z.string(), percentage: z.number() })),
  /** `name` is a two-letter ISO 3166 code. */
  countries: z.array(z.object({ name: z.string(), percentage: z.number() })),
  countedAt: Timestamp.nullable(),
})
export type AnalyticsAudience = z.infer<typeof AnalyticsAudience>

/** Views by weekday (0 is Monday) and hour in UTC. Hours without views are omitted. */
export const BestHours = z.array(
  z.object({
    weekday: z.number().int().min(0).max(6),
    hour: z.number().int().min(0).max(23),
    /** Views in the period, including today. */
    views: z.number().int(),
    /**
     * Average views in this hour on this weekday, over the days of the period. If the period ends today, over the same
     * number of complete days, ending yesterday.
     */
    average: z.number(),
  }),
)
export type BestHours = z.infer<typeof BestHours>

/** The views of the last 48 hours. */
export const RecentViews = z.object({
  totalViews: z.number().int(),
  /** The 48 hours, oldest first. The last one is the current hour, which is not over yet. */
  hours: z.array(z.object({ hour: Timestamp, views: z.number().int() })),
})
export type RecentViews = z.infer<typeof RecentViews>

/**
 * Where a viewer found a post: the home feed, a profile, Discover, a search, a topic's page, a notification, a
 * conversation, or a link from outside the app.
 */
export const ViewSource = z.enum([
  'home',
  'profile',
  'discover',
  'search',
  'topic',
  'notification',
  'message',
  'link',
  'other',
])
export type ViewSource = z.infer<typeof ViewSource>

/**
 * Where viewers found the creator's posts in the period. Covers only days that ended at least two hours ago. A source
 * with fewer than five views on a day is counted under `other` for that day.
 */
export const AnalyticsSources = z.object({
  /** Sorted by views, highest first, but `other` comes last. `percentage` is a whole number. */
  sources: z.array(z.object({ source: ViewSource, views: z.number().int(), percentage: z.number() })),
  /** The first day with a recorded source; views before it have no source. Null if there is no such day yet. */
  recordedSince: z.iso.date().nullable(),
})
export type AnalyticsSources = z.infer<typeof AnalyticsSources>

/** Posts that were on the caller's screen for at least one second, and where the caller found them. */
export const ViewsRequest = z.object({
  postIds: z.array(Id).min(1).max(limits.views.maxPosts),
  source: ViewSource.default('other'),
})
export type ViewsRequest = z.infer<typeof ViewsRequest>
