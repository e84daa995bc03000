import { User, UserCard } from '@contract/user.ts'
import { type InfiniteData, infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, isUnauthorized, type Page, withQuery } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { ignoreNotFound } from '@/lib/ignore-not-found'
import { queryKeys } from '@/lib/query-keys'
import { displayName } from '@/lib/text'
import { toast } from '@/ui/toaster'

/** People by pages, read again whenever they are shown. */
function peopleQuery<Person>(name: string, path: string, person: z.ZodType<Person>) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.users, name] as const,
    queryFn: ({ pageParam, signal }) =>
      api.page(withQuery(path, { cursor: pageParam ?? undefined }), person, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: Page<Person>) => last.nextCursor,
    staleTime: 0,
  })
}

/** Who asked to follow the person and waits for an answer, the latest first. */
export const followRequestsQuery = peopleQuery('follow-requests', '/api/user/follow-requests', User)

/** Whom the person has blocked, the latest first. */
export const blockedUsersQuery = peopleQuery('blocked-list', '/api/user/blocked-users', UserCard)

/** A list without one person; it is the same list where they are not in it. */
function without<Person extends { id: string }>(
  data: InfiniteData<Page<Person>, unknown> | undefined,
  id: string,
) {
  if (!data?.pages.some((page) => page.items.some((one) => one.id === id))) return data
  const pages = data.pages.map((page) => ({ ...page, items: page.items.filter((one) => one.id !== id) }))
  return { ...data, pages }
}

function failed(error: unknown): void {
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description: 'That did not work. Please try again.', tone: 'destructive' })
}

/**
 * Lets somebody follow who asked to, or declines; a request that is gone meanwhile counts as answered. `beforeGone` is
 * called while they are still listed.
 */
export function useAnswerFollowRequest(person: User, beforeGone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: 'accept' | 'decline') =>
      ignoreNotFound(api.command('POST', `/api/user/follow-requests/${person.id}/${answer}`)),
    onSuccess: async (_, answer) => {
      await client.cancelQueries({ queryKey: followRequestsQuery.queryKey })
      beforeGone()
      client.setQueryData(followRequestsQuery.queryKey, (data) => without(data, person.id))
      const name = isolateBidi(displayName(person))
      toast({ title: answer === 'accept' ? `${name} follows you now` : `You declined ${name}’s request` })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      void client.invalidateQueries({ queryKey: queryKeys.notifications })
    },
    onError: failed,
  })
}

/** Takes a block back. What the two see of each other is read again. `beforeGone`: as above. */
export function useUnblockUser(person: UserCard, beforeGone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/users/${person.id}/block`)),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: blockedUsersQuery.queryKey })
      beforeGone()
      client.setQueryData(blockedUsersQuery.queryKey, (data) => without(data, person.id))
      toast({ title: `You unblocked ${isolateBidi(displayName(person))}` })
      for (const queryKey of [queryKeys.users, queryKeys.posts, queryKeys.comments, queryKeys.messages]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    onError: failed,
  })
}
