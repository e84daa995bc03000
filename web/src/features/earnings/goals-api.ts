import { type GoalsRequest, GoalsResponse } from '@contract/earnings.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { alwaysStale, earningsKeys } from './keys'

/** What the creator aims at, and how far that is. */
export const goalsQuery = queryOptions({
  queryKey: earningsKeys.goals,
  queryFn: ({ signal }) => api.get('/api/earnings/goals', GoalsResponse, { signal }),
  ...alwaysStale,
})

/** Sets goals; one after the other, so that the last choice stays. What stands in the way is for the form to say. */
export function useSetGoals() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'earnings:goals' },
    mutationFn: (goals: GoalsRequest) => api.patch('/api/earnings/goals', goals, GoalsResponse),
    onSuccess: async (answer) => {
      await client.cancelQueries({ queryKey: earningsKeys.goals })
      client.setQueryData(goalsQuery.queryKey, answer)
    },
  })
}
