import type { UserCard } from '@contract/user.ts'

/** Returns the card of a user called Ada, for tests. */
export const userCardFixture = (id: string): UserCard => ({
  id,
  username: 'ada',
  handle: 'ada',
  displayName: 'Ada',
  fullName: 'Ada',
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  isCreator: false,
  isAdmin: false,
})
