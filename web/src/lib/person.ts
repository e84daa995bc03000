import type { UserCard } from '@contract/user.ts'

type Named = Partial<Pick<UserCard, 'displayName' | 'fullName' | 'firstName' | 'lastName' | 'username'>>

/** The name in a conversation: the full name, else first and last, else the username, else 'User'. */
export function conversationName(person: Named | null | undefined): string {
  if (!person) return 'User'
  return person.fullName || joined(person) || person.username || 'User'
}

/** The name beside a post or in a list; `missing` where there is nobody to name. */
export function displayName(person: Named | null | undefined, missing = 'Unknown User'): string {
  if (!person) return missing
  return person.displayName || joined(person) || person.fullName || person.username || missing
}

function joined(person: Named): string {
  return [person.firstName, person.lastName].filter(Boolean).join(' ')
}
