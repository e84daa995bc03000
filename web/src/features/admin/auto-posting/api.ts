import { AiKey, AutoRound } from '@contract/auto-posting.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { showError } from '../show-error'
import { describeRuns, hasSucceeded } from './model'
import { runsKey } from './runs-api'

export const aiKeyPath = '/api/admin/openai-key'

/** The key as it may be shown: masked. Another admin, or the provider, may change how it stands. */
export const aiKeyQuery = queryOptions({
  queryKey: ['admin', 'ai-key'],
  queryFn: ({ signal }) => api.get(aiKeyPath, AiKey, { signal }),
  staleTime: 0,
})

/** Forgets the key. */
export function useRemoveAiKey(onDone: () => void) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.delete(aiKeyPath),
    onSuccess: () => {
      client.setQueryData(aiKeyQuery.queryKey, { hasKey: false, apiKey: null, setAt: null, refusedAt: null })
      toast({ title: 'API Key Removed', description: 'Auto-posting rests until there is another one.' })
      onDone()
    },
    onError: (error) => {
      showError(error, 'The API key could not be removed. Please try again.')
      void client.invalidateQueries({ queryKey: aiKeyQuery.queryKey })
    },
  })
  return { remove: mutate, isPending }
}

/** One round of auto-posting now, for everyone enabled and agreed. `data` is what became of it. */
export function useTestRun() {
  const client = useQueryClient()
  const scope = 'admin:auto-post'
  const { mutate, isPending, data } = useMutation({
    scope: { id: scope },
    mutationFn: () => api.post('/api/admin/trigger-auto-posting', {}, AutoRound),
    onSuccess: ({ runs }) => {
      toast({
        title: 'Auto-posting Triggered',
        description: describeRuns(runs),
        tone: hasSucceeded(runs) ? 'default' : 'destructive',
      })
    },
    onError: (error) => showError(error, 'Auto-posting could not be triggered. Please try again.'),
    onSettled: () => {
      // Runs stand in the books also where the answer was lost, and the provider may have refused the key.
      void client.invalidateQueries({ queryKey: aiKeyQuery.queryKey })
      void client.invalidateQueries({ queryKey: runsKey })
      void client.invalidateQueries({ queryKey: ['admin', 'people'] })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
    },
  })
  const test = () => {
    // A second press comes before the button is drawn anew.
    if (pendingMutationCount(client, scope) === 0) mutate()
  }
  return { test, isPending, round: data }
}
