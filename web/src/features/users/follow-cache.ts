import type { FollowStatus, User, UserStats } from '@contract/user.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from '@/lib/query-keys'
import { userKeys } from './keys'
import type { UserPages } from './lists'

/** What pressing the button makes of a relation, before the server has answered. */
export function nextFollowStatus(user: Pick<User, 'followStatus' | 'profileVisibility'>): FollowStatus {
  if (user.followStatus !== 'none') return 'none'
  return user.profileVisibility === 'public' ? 'following' : 'requested'
}

/** A person with another relation to the caller. Returns the same object if that is no news. */
function withStatus<Person extends User>(user: Person, status: FollowStatus): Person {
  if (user.followStatus === status) return user
  return { ...user, followStatus: status, following: status === 'following' }
}

/** The counts after the relation went from one state to another; hidden counts stay hidden, none falls below 0. */
export function updateFollowerCount(stats: UserStats, from: FollowStatus, to: FollowStatus): UserStats {
  const step = Number(to === 'following') - Number(from === 'following')
  if (stats.followers === null || step === 0) return stats
  return { ...stats, followers: Math.max(0, stats.followers + step) }
}

/** Sets the caller's relation to one person wherever they are cached. */
export function applyFollowStatus(client: QueryClient, userId: string, status: FollowStatus): void {
  const before = findCachedUser(client, userId)?.followStatus
  client.setQueriesData<User>({ queryKey: userKeys.details }, (user) =>
    user?.id === userId ? withStatus(user, status) : user,
  )
  client.setQueriesData<User[]>({ queryKey: userKeys.directories }, (people) => {
    if (!people?.some((one) => one.id === userId && one.followStatus !== status)) return people
    return people.map((one) => (one.id === userId ? withStatus(one, status) : one))
  })
  for (const queryKey of listKeys) {
    client.setQueriesData<UserPages>({ queryKey }, (data) => inPages(data, userId, status))
  }
  // Who is in it has changed; where it is shown, nobody leaves it under the reader's eyes.
  void client.invalidateQueries({ queryKey: userKeys.followed, refetchType: 'none' })
  if (before !== undefined && before !== status) {
    client.setQueryData<UserStats>(userKeys.stats(userId), (stats) =>
      stats ? updateFollowerCount(stats, before, status) : stats,
    )
  }
}

/** What holds people by pages. */
const listKeys = [userKeys.lists, queryKeys.userSearch]

function inPages(data: UserPages | undefined, userId: string, status: FollowStatus) {
  const isNews = (one: User) => one.id === userId && one.followStatus !== status
  if (!data?.pages.some((page) => page.items.some(isNews))) return data
  const pages = data.pages.map((page) =>
    page.items.some(isNews)
      ? { ...page, items: page.items.map((one) => (one.id === userId ? withStatus(one, status) : one)) }
      : page,
  )
  return { ...data, pages }
}

/** The person as their page or a list holds them now. */
export function findCachedUser(client: QueryClient, userId: string): User | undefined {
  const details = client.getQueriesData<User>({ queryKey: userKeys.details }).map(([, user]) => user)
  const listed = client.getQueriesData<User[]>({ queryKey: userKeys.directories }).flatMap(([, list]) => list)
  const known = [...details, ...listed].find((user) => user?.id === userId)
  if (known) return known
  for (const queryKey of listKeys) {
    for (const [, data] of client.getQueriesData<UserPages>({ queryKey })) {
      for (const page of data?.pages ?? []) {
        const found = page.items.find((user) => user.id === userId)
        if (found) return found
      }
    }
  }
  return undefined
}
