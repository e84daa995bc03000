import { AccountLogEntry } from '@contract/audit.ts'
import { limits } from '@contract/limits.ts'
import { type AppealRequest, Decision, Report, type ReportRequest } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { api, pagedList, withQuery } from '@/lib/api'
import { inlineErrorMessage, isTransient } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { isolateBidi } from '@/lib/text'
import { toast } from '@/ui/toaster'
import type { ReportSubject } from './dialogs'

/** The viewer's reports, newest first. */
export const reportsQuery = infiniteQueryOptions({
  queryKey: queryKeys.reports,
  ...pagedList('/api/user/reports', { limit: limits.page.reports }, Report),
  staleTime: 0,
})

/** Moderation decisions about the viewer, newest first. */
export const decisionsQuery = infiniteQueryOptions({
  queryKey: queryKeys.decisions,
  ...pagedList('/api/user/decisions', { limit: limits.page.reports }, Decision),
  staleTime: 0,
})

/** Admin actions on the viewer's account, newest first. A full page may be followed by another one. */
export const accountLogQuery = infiniteQueryOptions({
  queryKey: queryKeys.accountLog,
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

/**
 * Sends a report, and blocks the reported user if `block` is set. If the viewer has already sent the same report and it
 * is still undecided, the server ignores the new one, and the toast says so. A failed block does not affect the report.
 */
export function useSendReport({ kind, id, user }: ReportSubject, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mutation = useMutation({
    mutationFn: async ({
      block,
      reason,
      note,
    }: Pick<ReportRequest, 'reason' | 'note'> & { block: boolean }) => {
      const body: ReportRequest = { kind, id, reason, note: note || null }
      const { created } = await api.create('/api/reports', body, Report)
      const isBlocked = block && (await tryBlockUser(user.id))
      return { created, isBlocked }
    },
    onSuccess: ({ created, isBlocked }, { block }) => {
      void client.invalidateQueries({ queryKey: queryKeys.reports })
      const name = isolateBidi(user.name)
      toast({
        title: created ? t`Report sent` : t`You’ve already reported this`,
        description: [
          created ? t`Our moderators will review it.` : t`It’s still waiting for review.`,
          block && (isBlocked ? t`You blocked ${name}.` : t`Couldn't block ${name}. Try again.`),
        ]
          .filter(Boolean)
          .join(' '),
        tone: block && !isBlocked ? 'destructive' : 'default',
        action: { label: t`My reports`, run: () => void navigate(paths.safety.getHref('reports')) },
      })
      onDone()
      if (isBlocked) void invalidateBlockedContent(client)
    },
  })
  const { error, isPending } = mutation
  return {
    send: mutation.mutate,
    isPending,
    failure: inlineErrorMessage(
      error,
      isTransient(error)
        ? t`Your report may not have been sent because the connection was lost. Try again.`
        : t`Couldn't send your report. Try again.`,
    ),
  }
}

async function tryBlockUser(id: string): Promise<boolean> {
  try {
    await api.command('POST', `/api/users/${id}/block`)
    return true
  } catch {
    return false
  }
}

/** Blocks a user (`true`) or unblocks them (`false`), and refetches what the two users can see of each other. */
export function useBlockUser(user: { id: string }, plainName: string) {
  const client = useQueryClient()
  const name = isolateBidi(plainName)
  return useMutation({
    mutationFn: (block: boolean) => api.command(block ? 'POST' : 'DELETE', `/api/users/${user.id}/block`),
    onSuccess: async (_, block) => {
      toast({ title: block ? t`You blocked ${name}` : t`You unblocked ${name}` })
      await invalidateBlockedContent(client)
    },
    meta: { errorMessage: t`Something went wrong. Try again.` },
  })
}

/** Refetches everything that can appear or disappear when one user blocks or unblocks another. */
export async function invalidateBlockedContent(client: QueryClient): Promise<void> {
  const { users, posts, comments, messages, newPosts } = queryKeys
  await Promise.all(
    [users, posts, comments, messages, newPosts].map((queryKey) => client.invalidateQueries({ queryKey })),
  )
}

/** Appeals a decision. Each decision can be appealed only once. */
export function useAppeal(decisionId: string, onDone: () => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: (body: AppealRequest) => api.post(`/api/user/decisions/${decisionId}/appeal`, body, Decision),
    onSuccess: (decision) => {
      client.setQueryData(decisionsQuery.queryKey, (data) =>
        updateItems(data, (items) => items.map((item) => (item.id === decision.id ? decision : item))),
      )
      onDone()
      toast({
        title: t`Appeal sent`,
        description: t`A different moderator will review it and let you know.`,
      })
    },
    // The server may have received the appeal even though its response was lost.
    onError: () => void client.invalidateQueries({ queryKey: decisionsQuery.queryKey }),
  })
  const { error, isPending } = mutation
  return {
    send: mutation.mutate,
    isPending,
    failure: inlineErrorMessage(
      error,
      isTransient(error)
        ? t`Your appeal may not have been sent because the connection was lost. Try again.`
        : t`Couldn't send your appeal. Try again.`,
    ),
  }
}
