import type { UserCard } from '@contract/user.ts'

/** For tests: the card of somebody called Ada. */
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
