import { Tag } from '@contract/discover.ts'

/** A part of a user's text. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string; handle: string }
  | { kind: 'hashtag'; text: string /** Normalized, as the server stores it. */; tag: string }

// Matches a URL, which ends at whitespace, an angle bracket, a quotation mark or a bidi control; or a mention or
// hashtag that does not continue a word. Combining marks (\p{M}) such as accents and vowel signs belong to the letter
// before them.
const linkPattern =
  /https?:\/\/[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+|(?<![\p{L}\p{M}\p{N}_@#/&])[@#][\p{L}\p{M}\p{N}_]+/giu

/**
 * Splits text into plain text, links, mentions and hashtags. Only http and https URLs become links. Punctuation at the
 * end of a URL is not part of the link, and neither is a closing bracket unless the URL contains the opening one.
 */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(linkPattern)) {
    const part = toPart(match[0])
    if (!part) continue
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push(part)
    end = match.index + part.text.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

function toPart(match: string): TextPart | null {
  if (match.startsWith('@')) {
    // The pattern matches all letters, but usernames are ASCII.
    return /^@[A-Za-z0-9_]{3,30}$/.test(match)
      ? { kind: 'mention', text: match, handle: match.slice(1) }
      : null
  }
  if (match.startsWith('#')) {
    // The server does not store tags that `Tag` rejects, so their links would lead nowhere.
    const tag = Tag.safeParse(match)
    return tag.success ? { kind: 'hashtag', text: match, tag: tag.data } : null
  }
  const text = trimUrl(match)
  try {
    const url = new URL(text)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
    // The part before an @ is not the host: https://bank.example@evil.example leads to evil.example.
    if (url.username || url.password) return null
    return { kind: 'link', text, href: url.href }
  } catch {
    return null
  }
}

/**
 * Removes trailing punctuation and unmatched closing brackets. Must take linear time, because a malicious URL may
 * contain a very large number of brackets.
 */
function trimUrl(url: string): string {
  const unmatched = {
    ')': countChar(url, ')') - countChar(url, '('),
    ']': countChar(url, ']') - countChar(url, '['),
  }
  let end = url.length
  for (; end > 0; end--) {
    const last = url.charAt(end - 1)
    if (last === ')' || last === ']') {
      if (unmatched[last] <= 0) break
      unmatched[last]--
    } else if (!/[.,;:!?…*]/.test(last)) break
  }
  return url.slice(0, end)
}

function countChar(text: string, char: string): number {
  let count = 0
  for (let index = text.indexOf(char); index >= 0; index = text.indexOf(char, index + 1)) count++
  return count
}

/** Shortens a URL for display: without the scheme and `www.`, at most 40 characters long. */
export function shortenUrl(url: string): string {
  const bareUrl = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  return bareUrl.length > 40 ? `${bareUrl.slice(0, 39)}…` : bareUrl
}
