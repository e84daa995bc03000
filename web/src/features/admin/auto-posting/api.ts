import { AiKey, AutoPostingToday, AutoRound, AutoRun } from '@contract/auto-posting.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, pagedList } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { pendingMutationCount } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'
import { usersKey } from '../users/api'
import { describeRuns, hasSucceeded } from './model'

export const aiKeyPath = '/api/admin/openai-key'

/** The masked API key. Always stale: another admin can change the key, and the provider can reject it. */
export const aiKeyQuery = queryOptions({
  queryKey: ['admin', 'ai-key'],
  queryFn: ({ signal }) => api.get(aiKeyPath, AiKey, { signal }),
  staleTime: 0,
})

/** Deletes the key. */
export function useRemoveAiKey(onDone: () => void) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.delete(aiKeyPath),
    onSuccess: () => {
      client.setQueryData(aiKeyQuery.queryKey, { hasKey: false, apiKey: null, setAt: null, refusedAt: null })
      toast({
        title: t`API Key Removed`,
        description: t`Auto-posting is paused until you add another key.`,
      })
      onDone()
    },
    onError: () => void client.invalidateQueries({ queryKey: aiKeyQuery.queryKey }),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't remove the API key. Try again.`) },
  })
  return { remove: () => mutate(), isPending }
}

/** Runs auto-posting now for every creator who has agreed to it and for whom it is on. `round` is the result. */
export function useTestRun() {
  const client = useQueryClient()
  const scope = 'admin:auto-post'
  const { mutate, isPending, data } = useMutation({
    scope: { id: scope },
    mutationFn: () => api.post('/api/admin/trigger-auto-posting', {}, AutoRound),
    onSuccess: ({ runs }) => {
      toast({
        title: t`Auto-posting Triggered`,
        description: describeRuns(runs),
        tone: hasSucceeded(runs) ? 'default' : 'destructive',
      })
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't start auto-posting. Try again.`) },
    onSettled: () => {
      // Runs are recorded even if the response is lost, and the provider may have rejected the key.
      void client.invalidateQueries({ queryKey: aiKeyQuery.queryKey })
      void client.invalidateQueries({ queryKey: runsKey })
      void client.invalidateQueries({ queryKey: usersKey })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
    },
  })
  const test = () => {
    // A second click can arrive before the button shows that a run is pending.
    if (pendingMutationCount(client, scope) === 0) mutate()
  }
  return { test, isPending, round: data }
}

/** The common prefix of the query keys about runs. */
const runsKey = ['admin', 'auto-runs'] as const

/** Half the maximum page size, so that the list starts short. */
const runsPageSize = limits.page.autoRuns / 2

/** The recorded runs, newest first. There is no realtime event for new runs, so the list polls. */
export const runsQuery = infiniteQueryOptions({
  queryKey: runsKey,
  ...pagedList('/api/admin/auto-posting/runs', { limit: runsPageSize }, AutoRun),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})

/** How much of the daily limits has been used today. Polls as often as the list of runs. */
export const todayUsageQuery = queryOptions({
  queryKey: [...runsKey, 'today'],
  queryFn: ({ signal }) => api.get('/api/admin/auto-posting/today', AutoPostingToday, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})
