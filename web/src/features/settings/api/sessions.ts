import { ActiveSession } from '@contract/auth.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, isUnauthorized } from '@/lib/api'
import { ignoreNotFound } from '@/lib/ignore-not-found'
import { toast } from '@/ui/toaster'

const queryKey = ['sessions'] as const

/** Where the person is signed in, this session first. Read anew whenever it is shown. */
export const sessionsQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => api.get('/api/auth/sessions', z.array(ActiveSession), { signal }),
  staleTime: 0,
})

/** Ends one other session; one that is over already counts as ended. `beforeGone` is called while it is still listed. */
export function useEndSession(id: string, beforeGone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/auth/sessions/${id}`)),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey })
      beforeGone()
      client.setQueryData(sessionsQuery.queryKey, (sessions) => sessions?.filter((one) => one.id !== id))
      toast({ title: 'Logged out there' })
    },
    onError: (error) => failed(error, 'That session could not be ended. Please try again.'),
  })
}

/** Ends every session but this one. */
export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete('/api/auth/sessions'),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(sessionsQuery.queryKey, (sessions) => sessions?.filter((one) => one.current))
      toast({ title: 'Logged out everywhere else' })
    },
    onError: (error) => failed(error, 'Your other sessions could not be ended. Please try again.'),
  })
}

function failed(error: unknown, description: string): void {
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description, tone: 'destructive' })
}
