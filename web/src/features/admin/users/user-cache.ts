import type { AdminUser } from '@contract/admin.ts'
import type { OwnUser } from '@contract/user.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { ApiError, type Page } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { updateCachedUserCard } from '@/profile/own-profile'
import { fetchUser, userStatsQuery, usersKey } from './api'

type Pages = InfiniteData<Page<AdminUser>>

/**
 * Shows somebody as the server has them now, wherever they stand. They stay in the list that shows them, also where
 * its filter fits no more, so that nothing jumps under the pointer: the next reading sorts that out.
 */
export function updateUserInCache(client: QueryClient, person: AdminUser): void {
  client.setQueriesData<Pages>({ queryKey: usersKey }, (data) =>
    changePages(data, (page) => ({
      ...page,
      items: page.items.map((one) => (one.id === person.id ? person : one)),
    })),
  )
  updateCachedUserCard(client, person.id, cardOf(person))
  // An admin's own profile: their settings show more of it than a card has.
  if (client.getQueryData<OwnUser | null>(queryKeys.currentUser)?.id === person.id) {
    void client.invalidateQueries({ queryKey: queryKeys.currentUser })
  }
  void client.invalidateQueries({ queryKey: queryKeys.users })
  countAgain(client)
}

/** What stands beside everything that somebody writes. */
function cardOf(person: AdminUser) {
  const { displayName, fullName, firstName, lastName, username, handle, isCreator } = person
  const { profileImageUrl, backgroundImageUrl } = person
  const name = { displayName, fullName, firstName, lastName, username, handle }
  return { ...name, isCreator, profileImageUrl, backgroundImageUrl }
}

/** Takes somebody who is gone out of all lists. */
export function removeUserFromCache(client: QueryClient, id: string): void {
  client.setQueriesData<Pages>({ queryKey: usersKey }, (data) => {
    if (!data?.pages.some((page) => page.items.some((one) => one.id === id))) return data
    return changePages(data, (page) => ({
      ...page,
      items: page.items.filter((one) => one.id !== id),
      ...(page.total !== undefined && { total: page.total - 1 }),
    }))
  })
  void client.invalidateQueries({ queryKey: queryKeys.users })
  for (const queryKey of [queryKeys.posts, queryKeys.comments, queryKeys.messages]) {
    void client.invalidateQueries({ queryKey })
  }
  countAgain(client)
}

/** Asks for somebody anew, after a call that failed: another admin may have changed or removed them. */
export async function refetchUser(client: QueryClient, id: string): Promise<void> {
  try {
    updateUserInCache(client, await fetchUser(id))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) removeUserFromCache(client, id)
  }
}

function countAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: userStatsQuery.queryKey })
  // The lists that are not in sight; the one that is stays as it stands.
  void client.invalidateQueries({ queryKey: usersKey, type: 'inactive' })
}

function changePages(
  data: Pages | undefined,
  change: (page: Page<AdminUser>) => Page<AdminUser>,
): Pages | undefined {
  return data && { ...data, pages: data.pages.map(change) }
}
