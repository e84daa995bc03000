/**
 * Every address that a page links to: `path` is what the router registers, `getHref` what links use.
 */
export const paths = {
  home: { path: '/', getHref: () => '/' },
  register: {
    path: '/register',
    /** With a path of this site, signing in afterwards leads there. */
    getHref: (next?: string) => (next ? `/register?next=${encodeURIComponent(next)}` : '/register'),
  },
  login: {
    path: '/login',
    /** With a path of this site, signing in leads there. */
    getHref: (next?: string) => (next ? `/login?next=${encodeURIComponent(next)}` : '/login'),
  },
  forgotPassword: { path: '/forgot-password', getHref: () => '/forgot-password' },
  resetPassword: { path: '/reset-password', getHref: () => '/reset-password' },
  confirmEmail: { path: '/confirm-email', getHref: () => '/confirm-email' },
  terms: { path: '/terms', getHref: () => '/terms' },
  privacy: { path: '/privacy', getHref: () => '/privacy' },
  messages: {
    path: '/messages',
    /** With a person's id, the conversation with them is open; with a message's as well, at that message. */
    getHref: (userId?: string, messageId?: string) => {
      if (!userId) return '/messages'
      const at = messageId ? `&message=${encodeURIComponent(messageId)}` : ''
      return `/messages?user=${encodeURIComponent(userId)}${at}`
    },
  },
  notifications: { path: '/notifications', getHref: () => '/notifications' },
  profile: {
    path: '/profile/:identifier?',
    /** Without a handle, one's own. */
    getHref: (handle?: string) => (handle ? `/profile/${encodeURIComponent(handle)}` : '/profile'),
  },
  followers: {
    path: '/profile/:identifier/followers',
    getHref: (handle: string) => `/profile/${encodeURIComponent(handle)}/followers`,
  },
  followed: {
    path: '/profile/:identifier/following',
    getHref: (handle: string) => `/profile/${encodeURIComponent(handle)}/following`,
  },
  post: { path: '/post/:id', getHref: (id: string) => `/post/${encodeURIComponent(id)}` },
  topic: {
    path: '/topic/:tag',
    /** The tag without its sign. */
    getHref: (tag: string) => `/topic/${encodeURIComponent(tag)}`,
  },
  search: {
    path: '/search',
    getHref: (query?: string) => (query ? `/search?q=${encodeURIComponent(query)}` : '/search'),
  },
  creators: { path: '/creators', getHref: () => '/creators' },
  discover: { path: '/discover', getHref: () => '/discover' },
  following: { path: '/following', getHref: () => '/following' },
  saved: { path: '/saved', getHref: () => '/saved' },
  analytics: { path: '/analytics', getHref: () => '/analytics' },
  earnings: {
    path: '/earnings',
    /** With the name of a tab, that tab is open; with one of its cards, Transactions shows what that is made of. */
    getHref: (tab?: string, of?: string) =>
      tab ? `/earnings?${new URLSearchParams({ tab, ...(of && { of }) })}` : '/earnings',
  },
  settings: {
    path: '/settings',
    /** With the name of a tab, that tab is open; with one of a field of the profile, on that tab, it has the focus. */
    getHref: (tab?: string, field?: string) =>
      tab ? `/settings?${new URLSearchParams({ tab, ...(field && { field }) })}` : '/settings',
  },
  admin: {
    path: '/admin',
    /** With the name of a tab, that tab is open. */
    getHref: (tab?: string) => (tab ? `/admin?tab=${encodeURIComponent(tab)}` : '/admin'),
  },
  /** One's reports, what was decided about oneself, and what admins did to one's account. */
  safety: {
    path: '/safety',
    getHref: (tab?: string) => (tab ? `/safety?tab=${encodeURIComponent(tab)}` : '/safety'),
  },
  /** Drafts that a program wrote for oneself. */
  autoPosts: { path: '/auto-posts', getHref: () => '/auto-posts' },
} as const

/** Answered by the server, so reached by a navigation of the browser and not by the router. */
export const serverPaths = { login: '/api/login', logout: '/api/logout' } as const
