import { limits } from '@contract/limits.ts'
import { type Post, type PostKind, PremiumPrice } from '@contract/post.ts'
import type { UserStats } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { translateServerText } from '@/lib/errors'
import { dateFormat, formatDuration, parseAmount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { linkify } from '@/ui/linkify'

/** Returns the absolute URL of a post's page. */
export const postUrl = (id: string): string => `${window.location.origin}${paths.post.getHref(id)}`

/** Returns the price of a premium post in US dollars. */
export function unlockPrice(post: Pick<Post, 'premiumPrice'>): number {
  return post.premiumPrice ?? limits.premiumPrice.default
}

/**
 * Returns the kinds of posts that a user has, with the number of posts of each kind. Includes the selected kind even if
 * no posts of that kind are counted. If the user hides their counts, or if `stats` is null because they failed to load,
 * returns all kinds without numbers.
 */
export function postKindCounts(stats: UserStats | null, selected?: PostKind) {
  const { posts, photos, videos, premiumPosts } = stats ?? noCounts
  const texts = posts === null ? null : Math.max(0, posts - (photos ?? 0) - (videos ?? 0))
  const kinds: { kind: PostKind; count: number | null }[] = [
    { kind: 'premium', count: premiumPosts },
    { kind: 'image', count: photos },
    { kind: 'video', count: videos },
    { kind: 'text', count: texts },
  ]
  return (
    kinds
      .filter(({ kind, count }) => count !== 0 || kind === selected)
      // Replaces 0 with null: hidden posts of that kind are not counted, but their author still sees them.
      .map(({ kind, count }) => ({ kind, count: count || null }))
  )
}

const noCounts = { posts: null, photos: null, videos: null, premiumPosts: null }

/** Text with at least this many characters is called long, and text with fewer than `minMediumText` is called short. */
const minLongText = 1500
const minMediumText = 500

function textSummary(length: number): string {
  if (length < minMediumText) return t`A short text`
  return length < minLongText ? t`Text` : t`A long text`
}

/** Returns what media a post contains, such as '1 photo' or '1 video (2:05)', or an empty string if it has none. */
export function mediaSummary({
  mediaType,
  mediaDuration,
}: Pick<Post, 'mediaType' | 'mediaDuration'>): string {
  if (mediaType === null) return ''
  if (mediaType === 'image') return t`1 photo`
  const duration = mediaDuration === null ? '' : formatDuration(mediaDuration)
  return duration ? t`1 video (${duration})` : t`1 video`
}

/** Returns the public summary of a premium post's content, such as '1 photo and a short text'. */
export function contentSummary({
  paidTextLength,
  ...post
}: Pick<Post, 'mediaType' | 'mediaDuration' | 'paidTextLength'>): string {
  const media = mediaSummary(post)
  if (!media) return paidTextLength === null ? '' : textSummary(paidTextLength)
  if (paidTextLength === null) return media
  if (paidTextLength < minMediumText) return t`${media} and a short text`
  return paidTextLength < minLongText ? t`${media} and text` : t`${media} and a long text`
}

/** Returns the hint for the alt text input of an image or video. */
export function altTextHint(kind: 'image' | 'video'): string {
  return kind === 'image'
    ? t`Describe the image for people who can't see it.`
    : t`Describe the video for people who can't see it.`
}

/** Returns an error message for the price that was typed for a premium post, or undefined if the price is valid. */
export function validatePrice(typed: string): string | undefined {
  const issue = PremiumPrice.safeParse(parseAmount(typed)).error?.issues[0]
  return issue && translateServerText(issue.message)
}

/** Returns '12 left' or, if `remaining` is negative, '3 over the limit'. */
export function remainingCharactersText(remaining: number): string {
  const excess = -remaining
  return remaining < 0
    ? t`${plural(excess, { one: '# over the limit', other: '# over the limit' })}`
    : t`${plural(remaining, { one: '# left', other: '# left' })}`
}

/**
 * The aspect ratios (width divided by height) of the tallest and the widest frame. Media beyond these ratios is
 * letterboxed or cropped.
 */
const minRatio = 3 / 4
const maxRatio = 1.91
/** Used for old uploads whose size was not recorded. */
const defaultRatios = { image: 4 / 3, video: 16 / 9 } as const

/** Returns the aspect ratio of the frame that is reserved for a post's image or video while it loads. */
export function frameRatio(post: Pick<Post, 'mediaType' | 'mediaWidth' | 'mediaHeight'>): number {
  const { mediaWidth, mediaHeight } = post
  if (!mediaWidth || !mediaHeight) return defaultRatios[post.mediaType ?? 'image']
  return Math.min(maxRatio, Math.max(minRatio, mediaWidth / mediaHeight))
}

/** A TikTok video that a post links to. */
export interface TikTokVideo {
  /** Digits only. */
  id: string
  /** Without the @. */
  user: string
}

/** The maximum number of players under one post. Further videos remain links. */
const maxPlayers = 3
const tikTokHosts = new Set(['www.tiktok.com', 'm.tiktok.com', 'tiktok.com'])

/** The origin of TikTok's player, and of the messages that the player sends to this page. */
export const tikTokOrigin = 'https://www.tiktok.com'

/**
 * Returns the URL of a video's player. The URL cannot lead to another site, because only digits are taken from the
 * post's text.
 */
export function tikTokPlayerUrl(video: TikTokVideo): string {
  return `${tikTokOrigin}/player/v1/${video.id}`
}

/** Returns the URL of a video's page on TikTok. */
export function tikTokPageUrl(video: TikTokVideo): string {
  return `https://www.tiktok.com/@${video.user}/video/${video.id}`
}

/**
 * Returns the first `maxPlayers` distinct videos that `text` links to, and the text to show above their players. A link
 * to one of these videos is removed if it ends a line, because the player replaces it, and kept within a sentence.
 */
export function extractTikToks(text: string): { text: string; videos: TikTokVideo[] } {
  const videos: TikTokVideo[] = []
  let remaining = ''
  const parts = linkify(text)
  parts.forEach((part, index) => {
    const video = part.kind === 'link' ? parseTikTokUrl(part.href) : null
    const isRepeated = video !== null && videos.some(({ id }) => id === video.id)
    const hasPlayer = video !== null && (isRepeated || videos.length < maxPlayers)
    if (hasPlayer && !isRepeated) videos.push(video)
    const next = parts[index + 1]
    const endsLine = !next || (next.kind === 'text' && /^[^\S\n]*(\n|$)/.test(next.text))
    if (hasPlayer && endsLine) remaining = remaining.trimEnd()
    else remaining += part.text
  })
  return videos.length > 0 ? { text: remaining.trim(), videos } : { text, videos }
}

/** Returns the video at a URL, or null if the URL is not a video's page on TikTok. */
export function parseTikTokUrl(href: string): TikTokVideo | null {
  let url: URL
  try {
    url = new URL(href)
  } catch {
    return null
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (!tikTokHosts.has(url.hostname) || url.port || url.username || url.password) return null
  const [, user, id] = /^\/@([\w.-]{1,64})\/video\/(\d{1,24})\/?$/.exec(url.pathname) ?? []
  return user && id ? { user, id } : null
}

/** Returns whether a post shows a photo or a video or, while it is locked, a blurred frame in place of one. */
export function hasMedia({ mediaType, content }: Pick<Post, 'mediaType' | 'content'>): boolean {
  return mediaType !== null || extractTikToks(content).videos.length > 0
}

/** Returns whether a time is too soon to schedule a post for it. */
export function isTooSoon(at: string | number, now = Date.now()): boolean {
  return Number(new Date(at)) < now + limits.scheduledPosts.minMinutesAhead * 60_000
}

/** Formats a date and time as 'Mon, Nov 30, 9:00 AM', with the year if it is not the current one. */
export function dayAndTime(timestamp: string, now = Date.now()): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) return ''
  const isThisYear = time.getFullYear() === new Date(now).getFullYear()
  return dateFormat({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(time)
}

/** Says when a post will be published, or that the time is too soon. */
export function publishingTimeText(publishAt: string, now = Date.now()): string {
  const when = dayAndTime(publishAt, now)
  return isTooSoon(publishAt, now) ? t`${when} is too soon. Choose a later time.` : t`Publishes ${when}`
}
