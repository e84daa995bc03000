import {
  type AnalyticsMonthly,
  addDays,
  type BestHours,
  currentDay,
  type TopPost,
} from '@contract/analytics.ts'
import { describe, expect, it } from 'vitest'
import { findInsights } from './insights'
import type { AnalyticsRange } from './model'

const month = { from: '2026-10-01', to: '2026-10-30' }

const createPost = (id: string, viewCount: number, fields: Partial<TopPost> = {}): TopPost => ({
  id,
  content: `Post ${id}`,
  viewCount,
  likeCount: 0,
  commentCount: 0,
  isPremium: false,
  mediaType: null,
  imageUrl: null,
  placeholder: null,
  createdAt: '2026-11-01T00:00:00Z',
  ...fields,
})

const createMonthly = (newFollowers: number, previousFollowers: number) =>
  ({
    compared: { now: { newFollowers }, before: { newFollowers: previousFollowers } },
  }) as AnalyticsMonthly

const findTexts = (
  data: { posts?: TopPost[]; hours?: BestHours; monthly?: AnalyticsMonthly },
  range: AnalyticsRange = month,
) =>
  findInsights({ posts: [], hours: [], monthly: createMonthly(0, 0), ...data }, range, 0).map(
    ({ text }) => text,
  )

// A second insight, because a single one is not shown.
const monthly = createMonthly(42, 20)
const followerText = 'You got 42 new followers, compared with 20 in the previous 30 days.'

describe('findInsights', () => {
  it('compares the best post with the others, and links to it', () => {
    const posts = [createPost('a', 60), createPost('b', 30), createPost('c', 20), createPost('d', 10)]
    const insights = findInsights({ posts, hours: [], monthly }, month, 0)
    expect(insights).toEqual([
      { text: '“Post a” got 60 views, 3.0 times the average of your other top posts.', postId: 'a' },
      { text: followerText, tab: 'audience' },
    ])
  })

  it('shortens the text of a post, and describes a post without text', () => {
    const others = ['b', 'c', 'd'].map((id) => createPost(id, 10))
    const [long] = findTexts({
      posts: [createPost('a', 60, { content: 'Word '.repeat(20) }), ...others],
      monthly,
    })
    expect(long).toMatch(/^“(Word )+Word…” got 60 views/)
    const [empty] = findTexts({ posts: [createPost('a', 60, { content: ' ' }), ...others], monthly })
    expect(empty).toMatch(/^“Photo or video post” got/)
  })

  it('leaves out the best post if it has few views or hardly more than the others, or if there are few others', () => {
    const others = [10, 10, 10].map((views, index) => createPost(`${index}`, views))
    for (const posts of [
      [createPost('a', 19), ...others.map((post) => ({ ...post, viewCount: 1 }))],
      [createPost('a', 60), ...others.slice(1)],
      [createPost('a', 29), ...others.map((post) => ({ ...post, viewCount: 20 }))],
    ])
      expect(findTexts({ posts, monthly })).toEqual([])
  })

  it('names the busiest weekday and hour, given enough views and days', () => {
    const hours = [
      { weekday: 3, hour: 20, views: 80, average: 20 },
      { weekday: 4, hour: 9, views: 20, average: 5 },
    ]
    const [text] = findTexts({ hours, monthly })
    expect(text).toMatch(/^Your busiest time: Thursdays around 8\sPM, with about 20 views an hour\.$/)
    expect(findTexts({ hours: hours.slice(0, 1), monthly })).toEqual([])
    expect(findTexts({ hours, monthly }, { period: '7d' })).toEqual([])
  })

  it('compares the likes of posts with and without media, or of premium and free posts', () => {
    const posts = [8, 8, 8, 2, 2, 2].map((likeCount, index) =>
      // `imageUrl` stays null: a post with a video can lack an image.
      createPost(`${index}`, 10, { likeCount, mediaType: index < 3 ? 'video' : null }),
    )
    expect(findTexts({ posts, monthly })[0]).toBe(
      'Among your 6 most viewed posts, posts with a photo or video have 8.0 likes on average, posts without a photo or video 2.0.',
    )
    const withoutMedia = posts.map((post, index) => ({ ...post, mediaType: null, isPremium: index >= 3 }))
    expect(findTexts({ posts: withoutMedia, monthly })[0]).toBe(
      'Among your 6 most viewed posts, free posts have 8.0 likes on average, premium posts 2.0.',
    )
    expect(findTexts({ posts: posts.slice(1), monthly })).toEqual([])
    expect(findTexts({ posts: posts.map((post) => ({ ...post, likeCount: 1 })), monthly })).toEqual([])
  })

  it('compares new followers with those of the previous period, whether there are more or fewer', () => {
    const posts = [createPost('a', 60), ...['b', 'c', 'd'].map((id) => createPost(id, 10))]
    const followerTextOf = (newFollowers: number, previousFollowers: number, range?: AnalyticsRange) =>
      findTexts({ posts, monthly: createMonthly(newFollowers, previousFollowers) }, range)[1]
    expect(followerTextOf(1, 12)).toBe('You got 1 new follower, compared with 12 in the previous 30 days.')
    expect(followerTextOf(12, 10)).toBeUndefined()
    expect(followerTextOf(9, 0)).toBeUndefined()
  })

  it('leaves out today when it compares new followers', () => {
    const posts = [createPost('a', 60), ...['b', 'c', 'd'].map((id) => createPost(id, 10))]
    const [today, yesterday] = [currentDay(), addDays(currentDay(), -1)]
    const followerTextOf = (range: AnalyticsRange) =>
      findTexts({ posts, monthly: createMonthly(1, 12) }, range)[1]
    expect(followerTextOf({ period: '30d' })).toBe(
      'You got 1 new follower in the 29 days before today, compared with 12 in the same part of the previous period.',
    )
    expect(followerTextOf({ from: yesterday, to: today })).toBe(
      'You got 1 new follower yesterday, compared with 12 two days earlier.',
    )
    expect(followerTextOf({ from: yesterday, to: yesterday })).toBe(
      'You got 1 new follower, compared with 12 on the previous day.',
    )
  })

  it('returns nothing if only one thing stands out', () => {
    expect(findTexts({ monthly })).toEqual([])
  })
})
