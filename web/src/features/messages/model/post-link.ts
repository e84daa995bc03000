import { t } from '@lingui/core/macro'
import { formatDuration } from '@/lib/format'
import { paths } from '@/lib/paths'

// Matches a path of a post, or a URL with such a path, unless more follows the id, such as a query.
const linkPattern =
  /(?<!\S)(https?:\/\/[^\s/]+)?\/post\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?=[.,;:!?]*(?:\s|$))/gi

/**
 * Returns the id of the first post of this site that a message links to, and the text to show above the post's card: a
 * link at the end of the message is removed, because the card replaces it, and any other link is kept.
 */
export function extractPostLink(content: string, origin?: string): { text: string; postId: string | null } {
  for (const match of content.matchAll(linkPattern)) {
    const [link, linkOrigin, postId = null] = match
    if (linkOrigin && linkOrigin.toLowerCase() !== (origin ?? window.location.origin)) continue
    const isLast = content.slice(match.index + link.length).trim() === ''
    return { text: isLast ? content.slice(0, match.index).trimEnd() : content, postId }
  }
  return { text: content, postId: null }
}

/** Returns the content of a message with this text and, if `postId` is set, a link to that post. */
export function withPostLink(text: string, postId: string | null, origin?: string): string {
  const link = postId && (origin ?? window.location.origin) + paths.post.getHref(postId)
  return [text.trim(), link].filter(Boolean).join('\n')
}

/**
 * Returns the preview of a message's content for lists and quotes: '' if the message has neither text nor a post and is
 * not a voice message.
 *
 * @param voiceSeconds the duration of a voice message
 */
export function contentPreview(content: string, voiceSeconds: number | null = null): string {
  if (voiceSeconds !== null) {
    const duration = formatDuration(voiceSeconds)
    return t`Voice message (${duration})`
  }
  const { text, postId } = extractPostLink(content)
  return text || (postId ? t`Post` : '')
}
