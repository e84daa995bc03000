import { intervals } from '@contract/intervals.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/**
 * How the app handles the errors of a mutation, in addition to what its screen shows. Queries have no `meta`, because
 * several components may use the same query, and each of them shows the error itself.
 */
export interface ErrorMeta extends Record<string, unknown> {
  /**
   * The description of the error toast, or a function that returns it for an error, or null for no toast. There is no
   * toast by default, or if the session has ended, because the app then redirects to the login page.
   */
  errorMessage?: string | ((error: unknown) => string | null)
  /**
   * The title of the error toast, or a function that returns it. By default, "Error" or, if the connection is lost, a
   * title that says so.
   */
  errorTitle?: string | ((error: unknown) => string | undefined)
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Record<string, never>
    mutationMeta: ErrorMeta
  }
}

/** Handles the errors of all queries and mutations. Set by `app/error-handling.ts`. */
interface ErrorHandlers {
  onError: (error: unknown, meta?: ErrorMeta) => void
  /** Called after the mutation's own callbacks. */
  onMutationSettled: (error: unknown) => void
}

let handlers: ErrorHandlers = { onError: () => undefined, onMutationSettled: () => undefined }

export function setErrorHandlers(next: ErrorHandlers): void {
  handlers = next
}

/** Handles the error of a request outside of a mutation, such as an upload, as a mutation with this `meta` would. */
export function handleRequestError(error: unknown, meta: ErrorMeta): void {
  handlers.onError(error, meta)
  handlers.onMutationSettled(error)
}

/**
 * The cache of all data from the server. By default, data never becomes stale: events, invalidations and polling
 * refetch it. Queries with `pageFreshness` become stale after a minute. `networkMode` is 'always' because a browser
 * without a network connection can still reach a server on its own machine.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => handlers.onError(error) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => handlers.onError(error, meta),
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

/**
 * Options for queries whose data a screen shows. When the screen is shown again, or the browser tab becomes visible, it
 * shows the cached data, and refetches data that is older than a minute. See docs/reference/page-updates.md.
 */
export const pageFreshness = { staleTime: intervals.pageFreshMs, refetchOnWindowFocus: true } as const

/** The query keys that several features use. Each feature defines more specific keys below these. */
export const queryKeys = {
  config: ['config'],
  currentUser: ['auth', 'user'],
  users: ['users'],
  subscriptions: ['subscriptions'],
  creatorPro: ['creator-pro'],
  userDetails: ['users', 'detail'],
  userStats: ['users', 'stats'],
  userSearch: ['users', 'search'],
  /** Lists of users that are loaded page by page, such as a user's followers. */
  userLists: ['users', 'list'],
  followRequests: ['users', 'follow-requests'],
  posts: ['posts'],
  postDetails: ['posts', 'detail'],
  postLists: ['posts', 'list'],
  /** The tabs of the home feed. */
  feeds: ['posts', 'list', 'feed'],
  /** The posts on profiles. */
  profilePosts: ['posts', 'list', 'user'],
  /** The numbers of posts that a list does not show yet. */
  newPosts: ['new-posts'],
  creatorUpdates: ['new-posts', 'creators'],
  comments: ['comments'],
  /** The viewer's own reports. The reports that admins see are below 'admin'. */
  reports: ['reports'],
  /** Moderation decisions about the viewer. */
  decisions: ['decisions'],
  messages: ['messages'],
  conversations: ['messages', 'conversations'],
  conversationDetails: ['messages', 'details'],
  unreadMessages: ['messages', 'unread-count'],
  /** Whether the receivers of messages have access to the premium posts that the messages link to. */
  linkedPostAccess: ['linked-post-access'],
  earnings: ['earnings'],
  autoPosts: ['auto-posts'],
  scheduledPosts: ['scheduled-posts'],
  sessions: ['sessions'],
  accessTokens: ['access-tokens'],
  accountLog: ['account-log'],
  notifications: ['notifications'],
  notificationList: ['notifications', 'list'],
  unreadNotifications: ['notifications', 'unread-count'],
} as const
