import { User, UserCard } from '@contract/user.ts'
import { type InfiniteData, infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, type Page, withQuery } from '@/lib/api'
import { isolated } from '@/lib/bidi'
import { displayName } from '@/lib/person'
import { queryKeys } from '@/lib/queryKeys'
import { isUnauthorized } from '@/lib/unauthorized'
import { unlessGone } from '@/lib/unlessGone'
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
export const requestsQuery = peopleQuery('follow-requests', '/api/user/follow-requests', User)

/** Whom the person has blocked, the latest first. */
export const blockedQuery = peopleQuery('blocked-list', '/api/user/blocked-users', UserCard)

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
export function useAnswerRequest(person: User, beforeGone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: 'accept' | 'decline') =>
      unlessGone(api.command('POST', `/api/user/follow-requests/${person.id}/${answer}`)),
    onSuccess: async (_, answer) => {
      await client.cancelQueries({ queryKey: requestsQuery.queryKey })
      beforeGone()
      client.setQueryData(requestsQuery.queryKey, (data) => without(data, person.id))
      const name = isolated(displayName(person))
      toast({ title: answer === 'accept' ? `${name} follows you now` : `You declined ${name}’s request` })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      void client.invalidateQueries({ queryKey: queryKeys.notifications })
    },
    onError: failed,
  })
}

/** Takes a block back. What the two see of each other is read again. `beforeGone`: as above. */
export function useUnblock(person: UserCard, beforeGone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => unlessGone(api.delete(`/api/users/${person.id}/block`)),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: blockedQuery.queryKey })
      beforeGone()
      client.setQueryData(blockedQuery.queryKey, (data) => without(data, person.id))
      toast({ title: `You unblocked ${isolated(displayName(person))}` })
      for (const queryKey of [queryKeys.users, queryKeys.posts, queryKeys.comments, queryKeys.messages]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    onError: failed,
  })
}
