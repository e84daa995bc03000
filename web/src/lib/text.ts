import { Tag } from '@contract/discover.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'

type NameFields = Partial<Pick<UserCard, 'displayName' | 'fullName' | 'firstName' | 'lastName' | 'username'>>

/** Returns a user's name for conversations: the full name, else first and last name, else the username, else 'User'. */
export function conversationName(user: NameFields | null | undefined): string {
  if (!user) return t`User`
  if (isDeletedAccount(user)) return t`Deleted user`
  return cleanName(user.fullName) || firstAndLastName(user) || cleanName(user.username) || t`User`
}

/** Returns a user's name for posts and lists, or `fallback` if the user has no name or no longer exists. */
export function displayName(user: NameFields | null | undefined, fallback = t`Unknown User`): string {
  if (!user) return fallback
  if (isDeletedAccount(user)) return t`Deleted user`
  return (
    cleanName(user.displayName) ||
    firstAndLastName(user) ||
    cleanName(user.fullName) ||
    cleanName(user.username) ||
    fallback
  )
}

/** Returns whether the server sent the placeholder for a deleted account, whose name is in English. */
function isDeletedAccount(user: NameFields): boolean {
  return user.username === 'deleted' && user.fullName === 'Deleted user'
}

function firstAndLastName(user: NameFields): string {
  return cleanName([user.firstName, user.lastName].filter(Boolean).join(' '))
}

/** Removes bidi controls, with which a name could reorder the line that it is in. */
function cleanName(name: string | undefined): string {
  return withoutBidiControls(name ?? '').trim()
}

/** Returns the first letters of the first and the last word of a name, for users without an avatar. */
export function initials(name: string): string {
  const words = withoutBidiControls(name).trim().split(/\s+/)
  const lastWord = words.length > 1 ? (words.at(-1) ?? '') : ''
  return (firstLetter(words[0] ?? '') || '?').concat(firstLetter(lastWord)).toUpperCase()
}

const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null

/** Returns the first grapheme: an emoji of several code points, or a letter with its accents. */
function firstLetter(word: string): string {
  for (const { segment } of segmenter?.segment(word) ?? []) return segment
  // Browsers from before 2024 have no Intl.Segmenter. Return a whole code point, never half of a surrogate pair.
  return [...word][0] ?? ''
}

/** Bidirectional marks, embeddings, overrides and isolates. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Removes bidi controls from text for titles and labels, which have no markup that could isolate it. */
export function withoutBidiControls(text: string): string {
  return text.replace(bidiControls, '')
}

/** Isolates a name or quotation within a plain-text sentence. Use `<bdi>` where there is markup. */
export function isolateBidi(text: string): string {
  return `\u2068${withoutBidiControls(text)}\u2069`
}

/** A part of a user's text. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string; handle: string }
  | { kind: 'hashtag'; text: string /** Normalized, as the server stores it. */; tag: string }

// A URL up to white space, a bracket, a quotation mark or a bidi control; or a mention or hashtag that does not continue
// a word. Combining marks (\p{M}) such as accents and vowel signs belong to the letter before them.
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
    // The server does not store other tags, so their links would lead nowhere.
    const tag = Tag.safeParse(match)
    return tag.success ? { kind: 'hashtag', text: match, tag: tag.data } : null
  }
  const text = trimUrl(match)
  try {
    const url = new URL(text)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
    // The part before an @ is a username: https://bank.example@evil.example leads to evil.example.
    if (url.username || url.password) return null
    return { kind: 'link', text, href: url.href }
  } catch {
    return null
  }
}

function trimUrl(url: string): string {
  let text = url
  for (;;) {
    const last = text.at(-1) ?? ''
    if (/[.,;:!?…*]/u.test(last)) text = text.slice(0, -1)
    else if (last === ')' && countChar(text, ')') > countChar(text, '(')) text = text.slice(0, -1)
    else if (last === ']' && countChar(text, ']') > countChar(text, '[')) text = text.slice(0, -1)
    else return text
  }
}

function countChar(text: string, char: string): number {
  return text.split(char).length - 1
}

/** Shortens a URL for display: without the scheme and `www.`, at most 40 characters long. */
export function shortenUrl(url: string): string {
  const bareUrl = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  return bareUrl.length > 40 ? `${bareUrl.slice(0, 39)}…` : bareUrl
}
