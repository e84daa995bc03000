import { type FollowStatus, User, type UserStats } from '@contract/user.ts'
import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
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

const People = z.array(z.looseObject({ id: z.string(), followStatus: z.string() }))

/** Sets the caller's relation to one person wherever they are cached. */
export function applyFollow(client: QueryClient, userId: string, status: FollowStatus): void {
  const before = findUser(client, userId)?.followStatus
  client.setQueriesData<User>({ queryKey: userKeys.details }, (user) =>
    user?.id === userId ? withStatus(user, status) : user,
  )
  client.setQueriesData<User[]>(
    { queryKey: userKeys.all, predicate: (query) => People.safeParse(query.state.data).success },
    (people) => {
      if (!people?.some((one) => one.id === userId && one.followStatus !== status)) return people
      return people.map((one) => (one.id === userId ? withStatus(one, status) : one))
    },
  )
  if (before !== undefined && before !== status) {
    client.setQueryData<UserStats>(userKeys.stats(userId), (stats) =>
      stats ? withFollower(stats, before, status) : stats,
    )
  }
}

/** The person as some list or page holds them now. */
export function findUser(client: QueryClient, userId: string): User | undefined {
  for (const [, data] of client.getQueriesData({ queryKey: userKeys.all })) {
    const candidates: unknown[] = Array.isArray(data) ? data : [data]
    for (const candidate of candidates) {
      const user = User.safeParse(candidate)
      if (user.success && user.data.id === userId) return user.data
    }
  }
  return undefined
}
