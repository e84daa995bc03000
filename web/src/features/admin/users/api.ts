import {
  type AdminProfileRequest,
  AdminStats,
  AdminUser,
  type AdminUserFilter,
  type AdminUserSort,
  type RemoveUserRequest,
  type SuspendUserRequest,
} from '@contract/admin.ts'
import type { AutoPostingFrequency } from '@contract/auto-posting.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Page, pagedList } from '@/lib/api'
import { ApiError, errorMessage, isNotFound } from '@/lib/errors'
import { pendingMutationCount, updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { displayName, isolateBidi } from '@/lib/text'
import { updateCachedUserCard } from '@/profile/own-profile'
import { type Toast, toast } from '@/ui/toaster'

/** Counts of users, cases and payouts. There is no realtime event for them, so the query polls. */
export const userStatsQuery = queryOptions({
  queryKey: ['admin', 'stats'],
  queryFn: ({ signal }) => api.get('/api/admin/stats', AdminStats, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})

/** The prefix that the query keys of all user lists share. */
export const usersKey = ['admin', 'people'] as const

/** The users whose name, username or email contains `search` and who match `filter`, sorted by `sort`. */
export const usersQuery = (search: string, filter: AdminUserFilter, sort: AdminUserSort) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, search, filter, sort],
    ...pagedList(
      '/api/admin/users',
      {
        search: search || undefined,
        filter: filter === 'all' ? undefined : filter,
        sort: sort === 'newest' ? undefined : sort,
        limit: limits.page.adminUsers,
      },
      AdminUser,
    ),
    // Shows the previous results while the next search loads.
    placeholderData: keepPreviousData,
    staleTime: intervals.pollMs,
  })

/** Returns the API path for a user. `suffix` starts with a slash. */
export const userPath = (id: string, suffix = '') => `/api/admin/users/${id}${suffix}`

const fetchUser = (id: string, signal?: AbortSignal) => api.get(userPath(id), AdminUser, { signal })

/** An action on an account. */
export interface AdminAction {
  name: 'approve' | 'creator' | 'auto-posting' | 'suspend' | 'lift'
  /** Sends the request and returns the updated user. */
  send: () => Promise<AdminUser>
  successToast: (updatedUser: AdminUser) => Toast
}

const isolatedName = (user: AdminUser) => isolateBidi(displayName(user))

/** Approves an account. */
export const approve = ({ id }: AdminUser): AdminAction => ({
  name: 'approve',
  send: () => api.post(userPath(id, '/approve'), {}, AdminUser),
  successToast: (user) => {
    const name = isolatedName(user)
    return { title: t`User Approved`, description: t`You approved ${name}.` }
  },
})

/** Grants or revokes creator status. Sends the target state, so that a repeated request has no further effect. */
export const setCreator = ({ id }: AdminUser, isCreator: boolean): AdminAction => ({
  name: 'creator',
  send: () => api.post(userPath(id, '/toggle-creator'), { isCreator }, AdminUser),
  successToast: (user) => {
    const name = isolatedName(user)
    return {
      title: t`Creator Status Updated`,
      description: user.isCreator ? t`${name} is now a creator.` : t`${name} is no longer a creator.`,
    }
  },
})

/** Turns auto-posting on or off for a creator. */
export const setAutoPosting = (
  { id }: AdminUser,
  enabled: boolean,
  frequency: AutoPostingFrequency,
): AdminAction => ({
  name: 'auto-posting',
  send: () => api.post(userPath(id, '/toggle-auto-posting'), { enabled, frequency }, AdminUser),
  successToast: (user) => ({ title: t`Auto-posting Updated`, description: autoPostingStatus(user) }),
})

function autoPostingStatus(user: AdminUser): string {
  const name = isolatedName(user)
  if (!user.autoPostingEnabled) return t`Auto-posting is off for ${name}.`
  return user.awaitingConsent
    ? t`Auto-posting starts once ${name} agrees in their settings.`
    : t`Auto-posting is on for ${name}.`
}

/** Suspends a user: their account is read-only for the given number of days, or until the suspension is lifted. */
export const suspend = ({ id }: AdminUser, form: SuspendUserRequest): AdminAction => ({
  name: 'suspend',
  send: () => api.post(userPath(id, '/suspend'), form, AdminUser),
  successToast: (user) => {
    const name = isolatedName(user)
    return { title: t`User suspended`, description: t`${name} has been told why and can appeal.` }
  },
})

/** Ends a suspension early. */
export const liftSuspension = ({ id }: AdminUser): AdminAction => ({
  name: 'lift',
  send: async () => {
    await api.delete(userPath(id, '/suspend'))
    return fetchUser(id)
  },
  successToast: (user) => {
    const name = isolatedName(user)
    return { title: t`Suspension lifted`, description: t`${name} has been notified.` }
  },
})

/** Runs actions on an account, one at a time. Shows the result in a toast and updates the user in the cache. */
export function useAdminAction(userId: string) {
  const client = useQueryClient()
  const scope = `admin:person:${userId}`
  const { mutate, isPending, variables } = useMutation({
    scope: { id: scope },
    // Otherwise, a refetch after an earlier failed action could overwrite the result of this one.
    onMutate: () => abortRefetch(userId),
    mutationFn: ({ send }: AdminAction) => send(),
    onSuccess: (updatedUser, { successToast }) => {
      updateUserInCache(client, updatedUser)
      toast(successToast(updatedUser))
    },
    onError: () => void refetchUser(client, userId),
    meta: { errorMessage: (error) => errorMessage(error, t`Something went wrong. Try again.`) },
  })
  return {
    /** `onDone` runs after success, unless the component is unmounted by then. */
    run: (action: AdminAction, onDone?: () => void) => {
      // A second click can arrive before the button shows that an action is pending.
      if (pendingMutationCount(client, scope) === 0) mutate(action, { onSuccess: onDone })
    },
    pendingAction: isPending ? variables.name : undefined,
  }
}

/** Removes an account permanently. The caller handles the `balance_left` error. */
export function useRemoveUser(user: AdminUser, onDone: () => void) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (form: RemoveUserRequest) => api.delete(userPath(user.id), form),
    onSuccess: () => {
      removeUserFromCache(client, user.id)
      const name = isolatedName(user)
      toast({ title: t`User Removed`, description: t`${name} has been notified by email.` })
      onDone()
    },
    onError: (error) => {
      if (!isBalanceLeftError(error)) void refetchUser(client, user.id)
    },
    meta: {
      errorMessage: (error) =>
        isBalanceLeftError(error) ? null : errorMessage(error, t`Couldn't remove the account. Try again.`),
    },
  })
  return { remove: mutate, isPending }
}

/** Returns whether the removal failed because the user has a balance, which must be forfeited explicitly. */
export const isBalanceLeftError = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'balance_left'

/** Saves changes to a user's profile. */
export function useSaveUserProfile(user: AdminUser) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: AdminProfileRequest) => api.put(userPath(user.id, '/profile'), form, AdminUser),
    onSuccess: (saved) => {
      updateUserInCache(client, saved)
      const name = isolatedName(saved)
      toast({ title: t`Profile Updated`, description: t`You updated the profile of ${name}.` })
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't save the profile. Try again.`) },
  })
}

type UserPages = InfiniteData<Page<AdminUser>>

function updateUserInCache(client: QueryClient, user: AdminUser): void {
  replaceUserInCache(client, user)
  invalidateUsers(client)
}

/**
 * Replaces a user wherever they are cached. They stay in the visible list even if they no longer match its filter, so
 * that no row moves under the pointer; the next refetch removes them.
 */
export function replaceUserInCache(client: QueryClient, user: AdminUser): void {
  abortRefetch(user.id)
  client.setQueriesData<UserPages>({ queryKey: usersKey }, (data) =>
    updateItems(data, (items) => items.map((item) => (item.id === user.id ? user : item))),
  )
  updateCachedUserCard(client, user.id, userCardFields(user))
  // An admin may have edited their own profile, which has fields that are not on a user card.
  if (client.getQueryData<OwnUser | null>(queryKeys.currentUser)?.id === user.id) {
    void client.invalidateQueries({ queryKey: queryKeys.currentUser })
  }
}

/** Picks the fields that are shown beside a user's posts, comments and messages. */
function userCardFields(user: AdminUser) {
  const { displayName, fullName, firstName, lastName, username, handle, isCreator } = user
  const { profileImageUrl, backgroundImageUrl } = user
  const name = { displayName, fullName, firstName, lastName, username, handle }
  return { ...name, isCreator, profileImageUrl, backgroundImageUrl }
}

/** Removes a deleted user from all cached lists. */
function removeUserFromCache(client: QueryClient, id: string): void {
  abortRefetch(id)
  client.setQueriesData<UserPages>({ queryKey: usersKey }, (data) => {
    if (!data?.pages.some((page) => page.items.some((item) => item.id === id))) return data
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.filter((item) => item.id !== id),
      ...(page.total !== undefined && { total: page.total - 1 }),
    }))
    return { ...data, pages }
  })
  for (const queryKey of [queryKeys.posts, queryKeys.comments, queryKeys.messages]) {
    void client.invalidateQueries({ queryKey })
  }
  invalidateUsers(client)
}

/** The refetches in progress, by user id. */
const refetches = new Map<string, AbortController>()

/** Aborts a user's pending refetch, because its response could overwrite the result of a later request. */
function abortRefetch(id: string): void {
  refetches.get(id)?.abort()
  refetches.delete(id)
}

/** Refetches a user after a failed request, because another admin may have changed or removed them. */
export async function refetchUser(client: QueryClient, id: string): Promise<void> {
  abortRefetch(id)
  const controller = new AbortController()
  refetches.set(id, controller)
  try {
    updateUserInCache(client, await fetchUser(id, controller.signal))
  } catch (error) {
    if (isNotFound(error)) removeUserFromCache(client, id)
  }
}

/** Invalidates the cached profiles, counts and lists that a change to an account affects. */
export function invalidateUsers(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: queryKeys.users })
  void client.invalidateQueries({ queryKey: userStatsQuery.queryKey })
  // Invalidates only the lists that are not visible: refetching the visible list could move its rows.
  void client.invalidateQueries({ queryKey: usersKey, type: 'inactive' })
}
