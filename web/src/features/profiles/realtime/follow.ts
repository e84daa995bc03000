import type { FollowStatus, User, UserStats } from '@contract/user.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from '@/lib/queryKeys'
import { userKeys } from '../api/keys'

/** What pressing the button makes of a relation, before the server has answered. */
export function nextStatus(user: Pick<User, 'followStatus' | 'profileVisibility'>): FollowStatus {
  if (user.followStatus !== 'none') return 'none'
  return user.profileVisibility === 'public' ? 'following' : 'requested'
}

/** A person with another relation to the caller. Returns the same object if that is no news. */
function withStatus<Person extends User>(user: Person, status: FollowStatus): Person {
  if (user.followStatus === status) return user
  return { ...user, followStatus: status, following: status === 'following' }
}

/** The counts after the relation went from one state to another; hidden counts stay hidden, none falls below 0. */
export function withFollower(stats: UserStats, from: FollowStatus, to: FollowStatus): UserStats {
  const step = Number(to === 'following') - Number(from === 'following')
  if (stats.followers === null || step === 0) return stats
  return { ...stats, followers: Math.max(0, stats.followers + step) }
}

/** Sets the caller's relation to one person wherever they are cached. */
export function applyFollow(client: QueryClient, userId: string, status: FollowStatus): void {
  const before = findUser(client, userId)?.followStatus
  client.setQueriesData<User>({ queryKey: userKeys.details }, (user) =>
    user?.id === userId ? withStatus(user, status) : user,
  )
  client.setQueriesData<User[]>({ queryKey: userKeys.directories }, (people) => {
    if (!people?.some((one) => one.id === userId && one.followStatus !== status)) return people
    return people.map((one) => (one.id === userId ? withStatus(one, status) : one))
  })
  // Search shows no relations; what it keeps is only told that it is out of date.
  void client.invalidateQueries({ queryKey: queryKeys.userSearch, refetchType: 'none' })
  if (before !== undefined && before !== status) {
    client.setQueryData<UserStats>(userKeys.stats(userId), (stats) =>
      stats ? withFollower(stats, before, status) : stats,
    )
  }
}

/** The person as their page or a list holds them now. */
export function findUser(client: QueryClient, userId: string): User | undefined {
  const details = client.getQueriesData<User>({ queryKey: userKeys.details }).map(([, user]) => user)
  const listed = client.getQueriesData<User[]>({ queryKey: userKeys.directories }).flatMap(([, list]) => list)
  return [...details, ...listed].find((user) => user?.id === userId)
}
