import { User, UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type InfiniteData, infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, type Page, pagedList } from '@/lib/api'
import { ignoreNotFound } from '@/lib/errors'
import { updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { displayName, isolateBidi } from '@/lib/text'
import { invalidateBlockedContent } from '@/moderation/api'
import { toast } from '@/ui/toaster'

/** A paginated list of users that refetches on every mount. */
function userListQuery<Item>(name: string, path: string, schema: z.ZodType<Item>) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.users, name] as const,
    ...pagedList(path, {}, schema),
    staleTime: 0,
  })
}

/** Lists the users whose requests to follow the current user are pending, newest first. */
export const followRequestsQuery = userListQuery('follow-requests', '/api/user/follow-requests', User)

/** Lists the users whom the current user has blocked, newest first. */
export const blockedUsersQuery = userListQuery('blocked-list', '/api/user/blocked-users', UserCard)

/** Returns the list without the user, or the same object if the user is not in it. */
function withoutUser<Item extends { id: string }>(
  data: InfiniteData<Page<Item>, unknown> | undefined,
  userId: string,
) {
  if (!data?.pages.some((page) => page.items.some(({ id }) => id === userId))) return data
  return updateItems(data, (items) => items.filter(({ id }) => id !== userId))
}

/** Accepts or declines the user's request to follow. A request that no longer exists counts as answered. */
export function useAnswerFollowRequest(user: User) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: 'accept' | 'decline') =>
      ignoreNotFound(api.command('POST', `/api/user/follow-requests/${user.id}/${answer}`)),
    onSuccess: async (_, answer) => {
      await client.cancelQueries({ queryKey: followRequestsQuery.queryKey })
      client.setQueryData(followRequestsQuery.queryKey, (data) => withoutUser(data, user.id))
      const name = isolateBidi(displayName(user))
      toast({
        title:
          answer === 'accept' ? t`${name} is now following you` : t`Follow request from ${name} declined`,
      })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      void client.invalidateQueries({ queryKey: queryKeys.notifications })
    },
    meta: { errorMessage: t`Couldn't answer the follow request. Try again.` },
  })
}

/** Unblocks the user and refetches everything that the block has hidden. */
export function useUnblockUser(user: UserCard) {
  const client = useQueryClient()
  const name = isolateBidi(displayName(user))
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/users/${user.id}/block`)),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: blockedUsersQuery.queryKey })
      client.setQueryData(blockedUsersQuery.queryKey, (data) => withoutUser(data, user.id))
      toast({ title: t`You unblocked ${name}` })
      void invalidateBlockedContent(client)
    },
    meta: { errorMessage: t`Couldn't unblock ${name}. Try again.` },
  })
}
