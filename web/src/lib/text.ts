import type { UserCard } from '@contract/user.ts'
import { withoutBidiControls } from './bidi'

type Named = Partial<Pick<UserCard, 'displayName' | 'fullName' | 'firstName' | 'lastName' | 'username'>>

/** The name in a conversation: the full name, else first and last, else the username, else 'User'. */
export function conversationName(person: Named | null | undefined): string {
  if (!person) return 'User'
  return shown(person.fullName) || joined(person) || shown(person.username) || 'User'
}

/** The name beside a post or in a list; `missing` where there is nobody to name. */
export function displayName(person: Named | null | undefined, missing = 'Unknown User'): string {
  if (!person) return missing
  return (
    shown(person.displayName) || joined(person) || shown(person.fullName) || shown(person.username) || missing
  )
}

function joined(person: Named): string {
  return shown([person.firstName, person.lastName].filter(Boolean).join(' '))
}

/** A name needs no control of direction, and one with them could turn around the line that it stands in. */
function shown(name: string | undefined): string {
  return withoutBidiControls(name ?? '').trim()
}

const graphemes =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null

/** What people take for one letter: an emoji of several characters is whole, a letter keeps its accents. */
function firstLetter(word: string): string {
  for (const { segment } of graphemes?.segment(word) ?? []) return segment
  // Browsers from before 2024 cannot tell; half of a pair is never shown.
  return [...word][0] ?? ''
}

/** The first letters of the first and the last word of a name, for where there is no picture. */
export function initials(name: string): string {
  const words = withoutBidiControls(name).trim().split(/\s+/)
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return (firstLetter(words[0] ?? '') || '?').concat(firstLetter(last)).toUpperCase()
}
