import { AiKey, AutoRound } from '@contract/auto-posting.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { queryKeys } from '@/lib/queryKeys'
import { underWay } from '@/lib/underWay'
import { toast } from '@/ui/toaster'
import { tellFailure } from '../../failure'
import { roundInWords, wentWell } from '../words'
import { runsKey } from './runs'

export const keyPath = '/api/admin/openai-key'

/** The key as it may be shown: masked. Another admin, or the provider, may change how it stands. */
export const keyQuery = queryOptions({
  queryKey: ['admin', 'ai-key'],
  queryFn: ({ signal }) => api.get(keyPath, AiKey, { signal }),
  staleTime: 0,
})

/** Forgets the key. */
export function useRemoveKey(onDone: () => void) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.delete(keyPath),
    onSuccess: () => {
      client.setQueryData(keyQuery.queryKey, { hasKey: false, apiKey: null, setAt: null, refusedAt: null })
      toast({ title: 'API Key Removed', description: 'Auto-posting rests until there is another one.' })
      onDone()
    },
    onError: (error) => {
      tellFailure(error, 'The API key could not be removed. Please try again.')
      void client.invalidateQueries({ queryKey: keyQuery.queryKey })
    },
  })
  return { remove: mutate, isPending }
}

/** One round of auto-posting now, for everyone enabled and agreed. `data` is what became of it. */
export function useTestPost() {
  const client = useQueryClient()
  const scope = 'admin:auto-post'
  const { mutate, isPending, data } = useMutation({
    scope: { id: scope },
    mutationFn: () => api.post('/api/admin/trigger-auto-posting', {}, AutoRound),
    onSuccess: ({ runs }) => {
      toast({
        title: 'Auto-posting Triggered',
        description: roundInWords(runs),
        tone: wentWell(runs) ? 'default' : 'destructive',
      })
    },
    onError: (error) => tellFailure(error, 'Auto-posting could not be triggered. Please try again.'),
    onSettled: () => {
      // Runs stand in the books also where the answer was lost, and the provider may have refused the key.
      void client.invalidateQueries({ queryKey: keyQuery.queryKey })
      void client.invalidateQueries({ queryKey: runsKey })
      void client.invalidateQueries({ queryKey: ['admin', 'people'] })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
    },
  })
  const test = () => {
    // A second press comes before the button is drawn anew.
    if (underWay(client, scope) === 0) mutate()
  }
  return { test, isPending, round: data }
}
