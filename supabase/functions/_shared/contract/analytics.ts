import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/**
 * What a creator is told of their own posts. Days are in UTC and the last one is today; `previous` is of as many days
 * before the period. Today is not over: what compares fairly is in `compared`, the whole days of the period and the days
 * that lie a period before each of them.
 */

export const AnalyticsPeriod = z.enum(['7d', '30d', '90d', '1y'])
export type AnalyticsPeriod = z.infer<typeof AnalyticsPeriod>
export const periodDays: Record<AnalyticsPeriod, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
export const AnalyticsQuery = z.object({ period: AnalyticsPeriod.default('30d') })

const Totals = z.object({
  totalViews: z.number().int(),
  totalLikes: z.number().int(),
  totalComments: z.number().int(),
  /** Likes and comments for each 100 views, with one decimal; null without a view. */
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
  /** Every day of the period, the oldest first. */
  days: z.array(OverviewDay),
  /** As many days before, the oldest first. */
  previousDays: z.array(OverviewDay),
  /** When this was counted last; null before the first time. */
  countedAt: Timestamp.nullable(),
})
export type AnalyticsOverview = z.infer<typeof AnalyticsOverview>

const Month = z.object({
  /** US dollars after the platform's share. */
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

/** Of the period, as the cards show it. */
export const AnalyticsMonthly = Month.extend({
  /** The subscribers that there are now. */
  subscriptions: z.number().int(),
  previous: Month,
  compared: z.object({ now: Month, before: Month }),
  days: z.array(MonthlyDay),
  previousDays: z.array(MonthlyDay),
  /** What the revenue came of, in whole percent; the largest first. */
  sources: z.array(
    z.object({
      source: z.enum(['subscription', 'tip', 'premium_content']),
      amount: z.number(),
      percentage: z.number(),
    }),
  ),
})
export type AnalyticsMonthly = z.infer<typeof AnalyticsMonthly>

/** The posts of the caller with the most views in the period. */
export const TopPost = z.object({
  id: Id,
  /** The beginning of its text. */
  content: z.string(),
  viewCount: z.number().int(),
  /** Likes that it has by now. */
  likeCount: z.number().int(),
  commentCount: z.number().int(),
  isPremium: z.boolean(),
  createdAt: Timestamp,
})
export type TopPost = z.infer<typeof TopPost>
export const TopPosts = z.array(TopPost).max(limits.topPosts)

/** Shares in whole percent, of those who are in a group of at least five. Counted once a day. */
export const AnalyticsAudience = z.object({
  ageGroups: z.array(z.object({ range: z.string(), percentage: z.number() })),
  /** `name`: two capital letters as in ISO 3166. */
  countries: z.array(z.object({ name: z.string(), percentage: z.number() })),
  countedAt: Timestamp.nullable(),
})
export type AnalyticsAudience = z.infer<typeof AnalyticsAudience>

/** Views by weekday (0 is Monday) and hour, where there were any. */
export const BestHours = z.array(
  z.object({
    weekday: z.number().int().min(0).max(6),
    hour: z.number().int().min(0).max(23),
    /** In the period, today included. */
    views: z.number().int(),
    /** On a day like this, over as many whole days as the period has: those that end with yesterday. */
    average: z.number(),
  }),
)
export type BestHours = z.infer<typeof BestHours>

/** Posts that were on the caller's screen for a second. */
export const ViewsRequest = z.object({ postIds: z.array(Id).min(1).max(limits.views.posts) })
export type ViewsRequest = z.infer<typeof ViewsRequest>
