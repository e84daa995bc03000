/**
 * The first parts of the cache's keys that more than one feature speaks of. Each feature keeps its own finer keys
 * below these; here stands only what another may have to read again.
 */
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
  /** One's own; those that admins see are under 'admin'. */
  reports: ['reports'],
  /** What was decided about the viewer. */
  decisions: ['decisions'],
  messages: ['messages'],
  conversations: ['messages', 'conversations'],
  unreadMessages: ['messages', 'unread-count'],
  notifications: ['notifications'],
  unreadNotifications: ['notifications', 'unread-count'],
} as const
