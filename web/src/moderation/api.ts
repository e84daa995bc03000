import { AccountLogEntry } from '@contract/audit.ts'
import { limits } from '@contract/limits.ts'
import { type AppealRequest, Decision, Report } from '@contract/moderation.ts'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, errorMessage, isTransient, isUnauthorized, withQuery } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'

/** What the viewer reported, the newest first. What became of it comes as a notification: it is read anew each time. */
export const reportsQuery = infiniteQueryOptions({
  queryKey: queryKeys.reports,
  queryFn: ({ pageParam, signal }) =>
    api.page(
      withQuery('/api/user/reports', { limit: limits.page.reports, cursor: pageParam ?? undefined }),
      Report,
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  staleTime: 0,
})

/** What was decided about the viewer, the newest first. */
export const decisionsQuery = infiniteQueryOptions({
  queryKey: queryKeys.decisions,
  queryFn: ({ pageParam, signal }) =>
    api.page(
      withQuery('/api/user/decisions', { limit: limits.page.reports, cursor: pageParam ?? undefined }),
      Decision,
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  staleTime: 0,
})

/** What admins did to the viewer's account, the newest first. A page that is full may have one behind it. */
export const accountLogQuery = infiniteQueryOptions({
  queryKey: ['account-log'],
  queryFn: ({ pageParam, signal }) =>
    api.get(
      withQuery('/api/user/account-log', { limit: limits.page.audit, before: pageParam ?? undefined }),
      z.array(AccountLogEntry),
      { signal },
    ),
  initialPageParam: null as number | null,
  getNextPageParam: (last) => (last.length === limits.page.audit ? (last.at(-1)?.id ?? null) : null),
  staleTime: 0,
})

/** Says that the viewer disagrees with a decision: once. */
export function useAppeal(id: string, onDone: () => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: (body: AppealRequest) => api.post(`/api/user/decisions/${id}/appeal`, body, Decision),
    onSuccess: (decision) => {
      client.setQueryData(
        decisionsQuery.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((one) => (one.id === decision.id ? decision : one)),
            })),
          },
      )
      onDone()
      toast({ title: 'Appeal sent', description: 'Another moderator reads it. You are told what they say.' })
    },
    // An answer that was lost may have been to an appeal that arrived.
    onError: () => void client.invalidateQueries({ queryKey: decisionsQuery.queryKey }),
  })
  const { error, isPending } = mutation
  return {
    send: mutation.mutate,
    isPending,
    failure:
      error && !isPending && !isUnauthorized(error)
        ? errorMessage(
            error,
            isTransient(error)
              ? 'The connection was lost. Please try again.'
              : 'Your appeal could not be sent. Please try again.',
          )
        : null,
  }
}
