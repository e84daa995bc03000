import { linkify } from '@/lib/linkify'

/** A TikTok video that a post names: whose, and which. */
export interface TikTokVideo {
  /** Digits only. */
  id: string
  /** Without the sign before it. */
  user: string
}

/** Players under one post; what else it names stays a link. */
const most = 3
const hosts = new Set(['www.tiktok.com', 'm.tiktok.com', 'tiktok.com'])

/** The video at an address, or null where it is none of TikTok's own. */
export function parseTikTokUrl(address: string): TikTokVideo | null {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return null
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (!hosts.has(url.hostname) || url.port || url.username || url.password) return null
  const [, user, id] = /^\/@([\w.-]{1,64})\/video\/(\d{1,24})\/?$/.exec(url.pathname) ?? []
  return user && id ? { user, id } : null
}

/** The site that its player is on, and speaks from. */
export const tikTokOrigin = 'https://www.tiktok.com'

/** Where its player is. Built from digits alone, so that it leads nowhere else whatever a post says. */
export function tikTokPlayerUrl(video: TikTokVideo): string {
  return `${tikTokOrigin}/player/v1/${video.id}`
}

/** Its page at TikTok. */
export function tikTokPageUrl(video: TikTokVideo): string {
  return `https://www.tiktok.com/@${video.user}/video/${video.id}`
}

/**
 * The videos that a text names, in order and each once, and the text to show above them: an address that ends its
 * line gives way to its player, one amid a sentence stays.
 */
export function extractTikToks(text: string): { text: string; videos: TikTokVideo[] } {
  const videos: TikTokVideo[] = []
  let shown = ''
  const parts = linkify(text)
  parts.forEach((part, index) => {
    const video = part.kind === 'link' ? parseTikTokUrl(part.href) : null
    const known = video !== null && videos.some((one) => one.id === video.id)
    const becomesPlayer = video !== null && (known || videos.length < most)
    if (becomesPlayer && !known) videos.push(video)
    const next = parts[index + 1]
    const endsLine = !next || (next.kind === 'text' && /^[^\S\n]*(\n|$)/.test(next.text))
    if (becomesPlayer && endsLine) shown = shown.trimEnd()
    else shown += part.text
  })
  return videos.length > 0 ? { text: shown.trim(), videos } : { text, videos }
}
