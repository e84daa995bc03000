import { describe, expect, it } from 'vitest'
import {
  contentSummary,
  extractTikToks,
  frameRatio,
  hasMedia,
  parseTikTokUrl,
  postKindCounts,
  tikTokPlayerUrl,
  validatePrice,
} from './model'
import { postFixture } from './post-fixture'

const id = '7212345678901234567'
const videoUrl = `https://www.tiktok.com/@ada.lovelace_1/video/${id}`

describe('contentSummary', () => {
  it('describes the media and the length of the text if they are known', () => {
    const summaryOf = (fields: Parameters<typeof postFixture>[1]) => contentSummary(postFixture('a', fields))
    expect(summaryOf({ mediaType: 'image' })).toBe('1 photo')
    expect(summaryOf({ mediaType: 'image', paidTextLength: 390 })).toBe('1 photo and a short text')
    expect(summaryOf({ mediaType: 'video' })).toBe('1 video')
    expect(summaryOf({ mediaType: 'video', mediaDuration: 3725 })).toBe('1 video (1:02:05)')
    expect(summaryOf({ mediaType: 'video', mediaDuration: 130, paidTextLength: 1200 })).toBe(
      '1 video (2:10) and text',
    )
    expect(summaryOf({ paidTextLength: 1500 })).toBe('A long text')
    expect(summaryOf({})).toBe('')
  })
})

describe('postKindCounts', () => {
  const stats = {
    posts: 9,
    photos: 4,
    videos: 0,
    premiumPosts: 2,
    viewsThisWeek: null,
    hasReposts: false,
    followers: 1,
    following: 1,
    subscribers: 0,
  }

  it('leaves out kinds without posts', () => {
    expect(postKindCounts(stats)).toEqual([
      { kind: 'premium', count: 2 },
      { kind: 'image', count: 4 },
      { kind: 'text', count: 5 },
    ])
  })

  it('returns all kinds if the counts are hidden or failed to load', () => {
    const hidden = { ...stats, posts: null, photos: null, videos: null, premiumPosts: null }
    for (const counts of [hidden, null])
      expect(postKindCounts(counts).map(({ count }) => count)).toEqual([null, null, null, null])
  })

  it('keeps the selected kind even if no posts of that kind are counted', () => {
    expect(postKindCounts(stats, 'video')).toContainEqual({ kind: 'video', count: null })
    expect(postKindCounts(stats, 'image')).toEqual(postKindCounts(stats))
  })
})

describe('validatePrice', () => {
  it('accepts only prices from 1.00 to 999.99 in whole cents', () => {
    expect(['1', '1.00', '9,99', '$999.99', '0019.90'].map(validatePrice)).toEqual(Array(5).fill(undefined))
    expect(['0.99', '1000', '1,000', '', '-5', '2.555'].map(validatePrice)).toEqual(
      Array(6).fill('Please enter a price between $1.00 and $999.99.'),
    )
  })
})

describe('frameRatio', () => {
  const ratio = (mediaType: 'image' | 'video', mediaWidth: number | null, mediaHeight: number | null) =>
    frameRatio(postFixture('a', { mediaType, mediaWidth, mediaHeight }))

  it("clamps the media's aspect ratio to the allowed range", () => {
    expect(ratio('image', 1080, 1080)).toBe(1)
    expect(ratio('image', 1000, 8000)).toBe(0.75)
    expect(ratio('image', 9000, 100)).toBe(1.91)
  })

  it('returns a default for media of unknown size', () => {
    expect(ratio('image', null, null)).toBeCloseTo(4 / 3)
    expect(ratio('video', 1920, null)).toBeCloseTo(16 / 9)
  })
})

describe('parseTikTokUrl', () => {
  it.each([
    videoUrl,
    `${videoUrl}/`,
    `${videoUrl}?is_from_webapp=1&sender_device=pc#comments`,
    `https://m.tiktok.com/@ada.lovelace_1/video/${id}`,
    `http://tiktok.com/@ada.lovelace_1/video/${id}`,
  ])('recognizes %s as a video', (href) => {
    expect(parseTikTokUrl(href)).toEqual({ id, user: 'ada.lovelace_1' })
  })

  it.each([
    `https://www.tiktok.com.evil.example/@ada/video/${id}`,
    `https://evil.example/https://www.tiktok.com/@ada/video/${id}`,
    `https://www.tiktok.com@evil.example/@ada/video/${id}`,
    `https://evil.example#www.tiktok.com/@ada/video/${id}`,
    `https://www.tiktok.com:8443/@ada/video/${id}`,
    `https://eviltiktok.com/@ada/video/${id}`,
    `https://www.tiktok.com/@ada/video/${id}/../../../evil`,
    `https://www.tiktok.com/@ada/video/${id}"onload="alert(1)`,
    'https://www.tiktok.com/@ada/video/abc',
    'https://www.tiktok.com/@ada',
    `https://www.tiktok.com/@ada%2fvideo/video/${id}`,
    `javascript://www.tiktok.com/@ada/video/${id}`,
    `data:text/html,https://www.tiktok.com/@ada/video/${id}`,
    'no URL at all',
  ])('rejects %s', (href) => {
    expect(parseTikTokUrl(href)).toBeNull()
  })
})

describe('tikTokPlayerUrl', () => {
  it('contains only the id of the video, not the user name', () => {
    expect(tikTokPlayerUrl({ id, user: '"><script>' })).toBe(`https://www.tiktok.com/player/v1/${id}`)
  })
})

describe('hasMedia', () => {
  it('counts photos and videos, locked ones and TikTok videos included', () => {
    const hasMediaWith = (fields: Parameters<typeof postFixture>[1]) => hasMedia(postFixture('a', fields))
    expect(hasMediaWith({ mediaType: 'image' })).toBe(true)
    expect(hasMediaWith({ mediaType: 'video', locked: true, content: '' })).toBe(true)
    expect(hasMediaWith({ content: videoUrl })).toBe(true)
    expect(hasMediaWith({ content: 'See https://example.com' })).toBe(false)
    expect(hasMediaWith({ locked: true, content: '' })).toBe(false)
  })
})

describe('extractTikToks', () => {
  it('removes a link at the end of a line from the text, and keeps a link within a sentence', () => {
    expect(extractTikToks(`Look:\n${videoUrl}\nNice`)).toEqual({
      text: 'Look:\nNice',
      videos: [{ id, user: 'ada.lovelace_1' }],
    })
    expect(extractTikToks(videoUrl)).toMatchObject({ text: '', videos: [{ id }] })
    expect(extractTikToks(`See ${videoUrl} today`)).toMatchObject({
      text: `See ${videoUrl} today`,
      videos: [{ id }],
    })
  })

  it('leaves text without videos unchanged', () => {
    const plain = '  https://example.com \n\n words '
    expect(extractTikToks(plain)).toEqual({ text: plain, videos: [] })
  })

  it('returns at most three distinct videos', () => {
    const links = [1, 1, 2, 3, 4].map((number) => `https://www.tiktok.com/@a/video/${number}`)
    const { text, videos } = extractTikToks(links.join('\n'))
    expect(videos.map((video) => video.id)).toEqual(['1', '2', '3'])
    expect(text).toBe(links[4])
  })
})
