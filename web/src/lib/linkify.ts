import { Tag } from '@contract/discover.ts'

/** A piece of what somebody wrote: plain text, an address, a mention of a person, or a hashtag. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string; handle: string }
  | { kind: 'hashtag'; text: string /** As posts hold it. */; tag: string }

// An address up to white space, a bracket, or a character that would show it in another order than it has; a mention or
// hashtag that does not continue a word before it. Marks are letters' own: accents, vowel signs.
const pattern =
  /https?:\/\/[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+|(?<![\p{L}\p{M}\p{N}_@#/&])[@#][\p{L}\p{M}\p{N}_]+/giu

/**
 * Splits text for display. Only http and https become links; punctuation that ends a sentence stays outside, and a
 * closing bracket too unless the address opened it.
 */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  for (const match of text.matchAll(pattern)) {
    const part = toPart(match[0])
    if (!part) continue
    if (match.index > done) parts.push({ kind: 'text', text: text.slice(done, match.index) })
    parts.push(part)
    done = match.index + part.text.length
  }
  if (done < text.length) parts.push({ kind: 'text', text: text.slice(done) })
  return parts
}

function toPart(found: string): TextPart | null {
  if (found.startsWith('@')) {
    // Usernames are ASCII; what else was matched is not one.
    return /^@[A-Za-z0-9_]{3,30}$/.test(found)
      ? { kind: 'mention', text: found, handle: found.slice(1) }
      : null
  }
  if (found.startsWith('#')) {
    // What the server would not keep as a tag leads nowhere.
    const tag = Tag.safeParse(found)
    return tag.success ? { kind: 'hashtag', text: found, tag: tag.data } : null
  }
  const text = trimAddress(found)
  try {
    const url = new URL(text)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
    // What stands before an @ is a name to sign in with: https://bank.example@evil.example leads to evil.example.
    if (url.username || url.password) return null
    return { kind: 'link', text, href: url.href }
  } catch {
    return null
  }
}

function trimAddress(address: string): string {
  let text = address
  for (;;) {
    const last = text.at(-1) ?? ''
    if (/[.,;:!?…*]/u.test(last)) text = text.slice(0, -1)
    else if (last === ')' && count(text, ')') > count(text, '(')) text = text.slice(0, -1)
    else if (last === ']' && count(text, ']') > count(text, '[')) text = text.slice(0, -1)
    else return text
  }
}

function count(text: string, char: string): number {
  return text.split(char).length - 1
}

/** An address as people read it: without the scheme, cut when long. */
export function shortenUrl(address: string): string {
  const bare = address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  return bare.length > 40 ? `${bare.slice(0, 39)}…` : bare
}
