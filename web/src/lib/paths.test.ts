import { expect, test, vi } from 'vitest'
import { isIndexable, paths, screenAt } from './paths'

test('finds the screen of every path', () => {
  const hrefs: Record<string, string> = {
    login: paths.login.getHref('/messages?user=1'),
    messages: paths.messages.getHref('a b'),
    profile: paths.profile.getHref('a/b c'),
    post: paths.post.getHref('1'),
    search: paths.search.getHref('#x'),
    settings: paths.settings.getHref('security'),
  }
  for (const [name, { getHref }] of Object.entries(paths)) {
    const href = hrefs[name] ?? (getHref as () => string)()
    expect(screenAt(new URL(href, 'http://here').pathname), href).toBe(name)
  }
})

test('ignores case and a trailing slash, like the router', () => {
  expect(screenAt('/Reset-Password/')).toBe('resetPassword')
  expect(screenAt('/profile')).toBe('profile')
  expect(screenAt('/profile/')).toBe('profile')
})

test.each(['/post', '/profile/a/b', '/log', '/login/x', '/no/such/page', '//login'])(
  'finds no screen at %s',
  (path) => {
    expect(screenAt(path)).toBe(null)
    expect(isIndexable(path)).toBe(false)
  },
)

test('lets search engines index only the landing page, registration and the legal pages', () => {
  const indexable = Object.values(paths).filter(({ path }) => isIndexable(path))
  expect(indexable.map(({ path }) => path)).toEqual(['/', '/register', '/terms', '/privacy'])
})

test('builds URLs with a query without `URLSearchParams.size`, which Safari 16 lacks', () => {
  vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never)
  expect(paths.discover.getHref('art', 'latest')).toBe('/discover?topic=art&sort=latest')
  expect(paths.discover.getHref()).toBe('/discover')
  vi.restoreAllMocks()
})
