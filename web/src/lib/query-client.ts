import { type Mutation, MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'

/** What happens when a query or mutation fails, in addition to what its screen shows. Set by `app/error-handling.ts`. */
interface ErrorHandlers {
  onQueryError: (error: unknown, query: Query<unknown, unknown>) => void
  onMutationError: (error: unknown, mutation: Mutation<unknown, unknown, unknown>) => void
  /** Called after the mutation's own callbacks. */
  onMutationSettled: (error: unknown) => void
}

let handlers: ErrorHandlers = {
  onQueryError: () => undefined,
  onMutationError: () => undefined,
  onMutationSettled: () => undefined,
}

export function setErrorHandlers(next: ErrorHandlers): void {
  handlers = next
}

/**
 * The cache of all data from the server. Data never becomes stale by itself: events, invalidations and polling refetch
 * it. `networkMode` is 'always' because a browser without network can reach a server on its own machine.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => handlers.onQueryError(error, query) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => handlers.onMutationError(error, mutation),
    onSettled: (_data, error) => handlers.onMutationSettled(error),
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

/** The query keys that several features use. Each feature defines its finer keys below these. */
export const queryKeys = {
  config: ['config'],
  currentUser: ['auth', 'user'],
  users: ['users'],
  subscriptions: ['subscriptions'],
  creatorPro: ['creator-pro'],
  userDetails: ['users', 'detail'],
  userStats: ['users', 'stats'],
  userSearch: ['users', 'search'],
  posts: ['posts'],
  postLists: ['posts', 'list'],
  comments: ['comments'],
  /** The viewer's own reports. The reports that admins see are below 'admin'. */
  reports: ['reports'],
  /** Moderation decisions about the viewer. */
  decisions: ['decisions'],
  messages: ['messages'],
  conversations: ['messages', 'conversations'],
  unreadMessages: ['messages', 'unread-count'],
  notifications: ['notifications'],
  unreadNotifications: ['notifications', 'unread-count'],
} as const
