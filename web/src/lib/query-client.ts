import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showReadOnlyReason } from '@/moderation/read-only'
import { redirectIfUnauthorized } from '@/session/login-redirect'

/**
 * The cache of everything read from the server. Nothing is asked twice by itself: what changes comes as an event,
 * an invalidation, or a poll that says so. `networkMode: 'always'` because a browser without a network may well
 * reach a server on its own machine.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirectIfUnauthorized }),
  mutationCache: new MutationCache({
    onError: redirectIfUnauthorized,
    // Behind what the mutation itself says of it.
    onSettled: (_answer, error) => void showReadOnlyReason(queryClient, error),
  }),
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Number.POSITIVE_INFINITY,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
