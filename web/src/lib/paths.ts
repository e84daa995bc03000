/** Every path of the app: `path` is the router's pattern, `getHref` returns the URL for links. */
export const paths = {
  home: { path: '/', getHref: () => '/' },
  register: {
    path: '/register',
    /** `next` is the path to open after registering and signing in. */
    getHref: (next?: string) => (next ? `/register?next=${encodeURIComponent(next)}` : '/register'),
  },
  login: {
    path: '/login',
    /** `next` is the path to open after signing in. */
    getHref: (next?: string) => (next ? `/login?next=${encodeURIComponent(next)}` : '/login'),
  },
  forgotPassword: { path: '/forgot-password', getHref: () => '/forgot-password' },
  resetPassword: { path: '/reset-password', getHref: () => '/reset-password' },
  confirmEmail: { path: '/confirm-email', getHref: () => '/confirm-email' },
  /** The steps after registration. `step` is the step to open instead of the first one. */
  welcome: { path: '/welcome', getHref: (step?: 'profile') => (step ? `/welcome?step=${step}` : '/welcome') },
  unsubscribe: { path: '/unsubscribe', getHref: () => '/unsubscribe' },
  terms: { path: '/terms', getHref: () => '/terms' },
  privacy: { path: '/privacy', getHref: () => '/privacy' },
  messages: {
    path: '/messages',
    /** Opens the conversation with a user, scrolled to a message. */
    getHref: (userId?: string, messageId?: string) => {
      if (!userId) return '/messages'
      const message = messageId ? `&message=${encodeURIComponent(messageId)}` : ''
      return `/messages?user=${encodeURIComponent(userId)}${message}`
    },
  },
  notifications: { path: '/notifications', getHref: () => '/notifications' },
  profile: {
    path: '/profile/:identifier?',
    /** Without a handle, opens the viewer's own profile. */
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
    /** `tag` has no `#`. */
    getHref: (tag: string) => `/topic/${encodeURIComponent(tag)}`,
  },
  search: {
    path: '/search',
    getHref: (query?: string) => (query ? `/search?q=${encodeURIComponent(query)}` : '/search'),
  },
  creators: { path: '/creators', getHref: () => '/creators' },
  discover: {
    path: '/discover',
    /** Opens the posts with a hashtag. `tag` has no `#`. Without `sort`, the most popular posts come first. */
    getHref: (tag?: string, sort?: 'latest') => {
      const query = String(new URLSearchParams({ ...(tag && { topic: tag }), ...(sort && { sort }) }))
      return query ? `/discover?${query}` : '/discover'
    },
  },
  following: { path: '/following', getHref: () => '/following' },
  saved: { path: '/saved', getHref: () => '/saved' },
  analytics: { path: '/analytics', getHref: () => '/analytics' },
  earnings: {
    path: '/earnings',
    /**
     * Opens a tab. The Transactions tab can be limited to the transactions that make up the amount on an overview card
     * or in the chart (`of`), and to a period, from its first to its last day in UTC.
     */
    getHref: (tab?: string, filter?: { of: string } | { of: string; from: string; to: string }) =>
      tab ? `/earnings?${new URLSearchParams({ tab, ...filter })}` : '/earnings',
  },
  settings: {
    path: '/settings/:topic?',
    /** Opens a topic. `field` is the field of the profile form to focus. */
    getHref: (topic?: string, field?: string) =>
      topic ? `/settings/${topic}${field ? `?field=${encodeURIComponent(field)}` : ''}` : '/settings',
  },
  admin: {
    path: '/admin',
    getHref: (tab?: string) => (tab ? `/admin?tab=${encodeURIComponent(tab)}` : '/admin'),
  },
  /** The viewer's reports, moderation decisions about the viewer, and admins' changes to the viewer's account. */
  safety: {
    path: '/safety',
    getHref: (tab?: string) => (tab ? `/safety?tab=${encodeURIComponent(tab)}` : '/safety'),
  },
  /** The viewer's scheduled posts. */
  scheduled: { path: '/scheduled', getHref: () => '/scheduled' },
  /** Drafts written by auto-posting for the viewer. */
  autoPosts: { path: '/auto-posts', getHref: () => '/auto-posts' },
} as const

/** Paths that the server handles: open them with a full page load, not with the router. */
export const serverPaths = { login: '/api/login', logout: '/api/logout' } as const

/** The name of a screen: its key in `paths`. */
type Screen = keyof typeof paths

/**
 * The screens that search engines may always index. For profiles and posts, the server decides case by case, when it
 * sends the link preview.
 */
const indexableScreens: ReadonlySet<Screen> = new Set<Screen>(['home', 'register', 'terms', 'privacy'])

const patterns = Object.entries(paths).map(([name, { path }]) => [name as Screen, toPattern(path)] as const)

/**
 * Returns the screen that the router shows at a path (without query), or null if it shows the 404 page. Like the
 * router, it ignores case and a trailing slash.
 */
export function screenAt(pathname: string): Screen | null {
  return patterns.find(([, pattern]) => pattern.test(pathname))?.[0] ?? null
}

/** Returns whether search engines may always index the screen at a path. */
export function isIndexable(pathname: string): boolean {
  const screen = screenAt(pathname)
  return screen !== null && indexableScreens.has(screen)
}

function toPattern(path: string): RegExp {
  const segments = path.split('/').slice(1)
  const source = segments.map((segment) => {
    if (segment === '') return ''
    if (!segment.startsWith(':')) return `/${segment}`
    return segment.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+'
  })
  return new RegExp(`^${source.join('')}/?$`, 'i')
}
