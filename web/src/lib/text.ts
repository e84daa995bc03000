import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'

type NameFields = Partial<Pick<UserCard, 'displayName' | 'fullName' | 'firstName' | 'lastName' | 'username'>>

/** Returns a user's name for conversations: the full name, else first and last name, else the username, else 'User'. */
export function conversationName(user: NameFields | null | undefined): string {
  if (!user) return t`User`
  if (isDeletedAccount(user)) return t`Deleted user`
  return cleanName(user.fullName) || firstAndLastName(user) || cleanName(user.username) || t`User`
}

/** Returns a user's name for posts and lists, or `fallback` if there is no user or the user has no name. */
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

/** Returns whether the server sent its placeholder for a deleted account. The placeholder's name is English. */
export function isDeletedAccount(user: NameFields): boolean {
  return user.username === 'deleted' && user.fullName === 'Deleted user'
}

function firstAndLastName(user: NameFields): string {
  return cleanName([user.firstName, user.lastName].filter(Boolean).join(' '))
}

/** Removes bidi controls, because they would let a name reorder the rest of its line. */
function cleanName(name: string | undefined): string {
  return withoutBidiControls(name ?? '').trim()
}

/**
 * Returns a device's name, for example 'Firefox on Windows', or only its browser or system if the other is unknown.
 * Returns undefined if neither is known.
 */
export function deviceText({
  browser,
  system,
}: {
  browser?: string | undefined
  system?: string | undefined
}): string | undefined {
  return browser && system ? t`${browser} on ${system}` : browser || system
}

/** Returns the first letters of the first and the last word of a name, for users without an avatar. */
export function initials(name: string): string {
  const words = withoutBidiControls(name).trim().split(/\s+/)
  const lastWord = words.length > 1 ? (words.at(-1) ?? '') : ''
  return (firstLetter(words[0] ?? '') || '?').concat(firstLetter(lastWord)).toUpperCase()
}

let segmenter: Intl.Segmenter | undefined

/** Returns the first grapheme: an emoji of several code points, or a letter with its accents. */
function firstLetter(word: string): string {
  // Some browsers from before 2024 have no Intl.Segmenter. Return a whole code point, never half of a surrogate pair.
  if (typeof Intl.Segmenter !== 'function') return [...word][0] ?? ''
  // Not created in advance, because it makes the browser load segmentation rules, which takes 15 ms.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(word)) return segment
  return ''
}

/** Bidirectional marks, embeddings, overrides and isolates. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Removes bidi controls from text for titles and labels, where markup cannot isolate the text. */
export function withoutBidiControls(text: string): string {
  return text.replace(bidiControls, '')
}

/** Isolates a name or quotation within a plain-text sentence. Use `<bdi>` where there is markup. */
export function isolateBidi(text: string): string {
  return `\u2068${withoutBidiControls(text)}\u2069`
}

/** Formats names that have no label: `maxPosts` as 'max posts' and `max_posts` as 'max posts'. */
export function humanizeName(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
}
