import type { AnalyticsMonthly, BestHours, TopPost } from '@contract/analytics.ts'
import { excerpt } from '@contract/excerpt.ts'
import { plural, t } from '@lingui/core/macro'
import { formatCount } from '@/lib/format'
import {
  type AnalyticsRange,
  formatAverage,
  includesToday,
  peakHourText,
  rangeLength,
  shiftToZone,
  wholeHourZone,
} from './model'

/** A sentence about something that stands out in the period, and the post or the tab that shows more. */
export type Insight = { text: string; postId: string } | { text: string; tab: 'content' | 'audience' }

/** Below these minimums, a difference is probably a coincidence, so it is not mentioned. */
export const insightMinimums = {
  bestPostViews: 20,
  otherPosts: 3,
  hourViews: 100,
  hourDays: 14,
  postsPerKind: 3,
  likes: 10,
  followers: 10,
}

/** To stand out, a value must be at least this many times as high as the value that it is compared with. */
const minRatio = 1.5

/**
 * Returns two to four insights, or none if there are fewer than two.
 *
 * @param offsetMinutes the viewer's time zone offset, as returned by `Date.getTimezoneOffset()`
 */
export function findInsights(
  { posts, hours, monthly }: { posts: TopPost[]; hours: BestHours; monthly: AnalyticsMonthly },
  range: AnalyticsRange,
  offsetMinutes: number,
): Insight[] {
  const insights = [
    bestPost(posts),
    busiestTime(hours, range, offsetMinutes),
    likesByKind(posts),
    followerChange(monthly, range),
  ].filter((insight) => insight !== undefined)
  return insights.length < 2 ? [] : insights
}

/** The maximum length of a post's title, the beginning of its text, in characters. */
const maxTitleLength = 40

const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Compares the post with the most views with the other posts in the list. */
function bestPost([best, ...others]: TopPost[]): Insight | undefined {
  if (!best || others.length < insightMinimums.otherPosts) return undefined
  const othersAverage = average(others.map(({ viewCount }) => viewCount))
  const isBest = best.viewCount >= Math.max(insightMinimums.bestPostViews, minRatio * othersAverage)
  if (!isBest || othersAverage === 0) return undefined
  const title = excerpt(best.content, maxTitleLength) || t`Photo or video post`
  const views = plural(best.viewCount, { one: '# view', other: '# views' })
  const times = formatAverage(best.viewCount / othersAverage)
  return {
    text: t`“${title}” got ${views}, ${times} times the average of your other top posts.`,
    postId: best.id,
  }
}

/** Names the weekday and hour with the most views on average. */
function busiestTime(hours: BestHours, range: AnalyticsRange, offsetMinutes: number): Insight | undefined {
  const total = hours.reduce((sum, hour) => sum + hour.views, 0)
  if (total < insightMinimums.hourViews || rangeLength(range) < insightMinimums.hourDays) return undefined
  const cells = shiftToZone(hours, wholeHourZone(offsetMinutes).hours)
  const highest = Math.max(...cells.map(({ value }) => value))
  const hourlyAverage = cells.reduce((sum, { value }) => sum + value, 0) / (7 * 24)
  if (highest < minRatio * hourlyAverage) return undefined
  const peak = peakHourText(cells)
  const views = plural(Math.max(1, Math.round(highest)), {
    one: 'about # view an hour',
    other: 'about # views an hour',
  })
  return peak ? { text: t`${peak}, with ${views}.`, tab: 'content' } : undefined
}

/** Compares the average likes of posts with and without media or, if that yields nothing, of premium and free posts. */
function likesByKind(posts: TopPost[]): Insight | undefined {
  if (posts.reduce((sum, { likeCount }) => sum + likeCount, 0) < insightMinimums.likes) return undefined
  const hasMedia = ({ mediaType }: TopPost) => mediaType !== null
  const comparisons = [
    [
      { name: t`posts with a photo or video`, posts: posts.filter(hasMedia) },
      { name: t`posts without a photo or video`, posts: posts.filter((post) => !hasMedia(post)) },
    ],
    [
      { name: t`premium posts`, posts: posts.filter(({ isPremium }) => isPremium) },
      { name: t`free posts`, posts: posts.filter(({ isPremium }) => !isPremium) },
    ],
  ]
  for (const kinds of comparisons) {
    if (kinds.some((kind) => kind.posts.length < insightMinimums.postsPerKind)) continue
    const [more, fewer] = kinds
      .map((kind) => ({ name: kind.name, likes: average(kind.posts.map(({ likeCount }) => likeCount)) }))
      .sort((a, b) => b.likes - a.likes)
    if (!more || !fewer || more.likes < minRatio * fewer.likes) continue
    const [moreName, moreLikes] = [more.name, formatAverage(more.likes)]
    const [fewerName, fewerLikes] = [fewer.name, formatAverage(fewer.likes)]
    return {
      text: t`Among your ${posts.length} most viewed posts, ${moreName} have ${moreLikes} likes on average, ${fewerName} ${fewerLikes}.`,
      tab: 'content',
    }
  }
  return undefined
}

/** Compares the new followers on the complete days of the period with those on the same days one period earlier. */
function followerChange({ compared }: AnalyticsMonthly, range: AnalyticsRange): Insight | undefined {
  const { newFollowers } = compared.now
  const previousFollowers = compared.before.newFollowers
  const [lower = 0, higher = 0] = [newFollowers, previousFollowers].sort((a, b) => a - b)
  if (higher < insightMinimums.followers || higher < minRatio * lower) return undefined
  const gained = plural(newFollowers, { one: 'You got # new follower', other: 'You got # new followers' })
  const before = formatCount(previousFollowers)
  const text = includesToday(range)
    ? plural(rangeLength(range) - 1, {
        one: `${gained} yesterday, compared with ${before} two days earlier.`,
        other: `${gained} in the # days before today, compared with ${before} in the same part of the previous period.`,
      })
    : plural(rangeLength(range), {
        365: `${gained}, compared with ${before} in the previous year.`,
        one: `${gained}, compared with ${before} on the previous day.`,
        other: `${gained}, compared with ${before} in the previous # days.`,
      })
  return { text, tab: 'audience' }
}
