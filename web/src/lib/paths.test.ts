import { expect, test } from 'vitest'
import { paths } from './paths'
import { isListed, screenAt } from './screens'

test('every address that a page links to is a screen', () => {
  const example: Record<string, string> = {
    login: paths.login.getHref('/messages?user=1'),
    messages: paths.messages.getHref('a b'),
    profile: paths.profile.getHref('a/b c'),
    post: paths.post.getHref('1'),
    search: paths.search.getHref('#x'),
    settings: paths.settings.getHref('security'),
  }
  for (const [name, { getHref }] of Object.entries(paths)) {
    const href = example[name] ?? (getHref as () => string)()
    expect(screenAt(new URL(href, 'http://here').pathname), href).toBe(name)
  }
})

test('as the router does, it minds neither case nor a slash at the end', () => {
  expect(screenAt('/Reset-Password/')).toBe('resetPassword')
  expect(screenAt('/profile')).toBe('profile')
  expect(screenAt('/profile/')).toBe('profile')
})

test.each(['/post', '/profile/a/b', '/log', '/login/x', '/no/such/page', '//login'])(
  '%s is no screen',
  (path) => {
    expect(screenAt(path)).toBe(null)
    expect(isListed(path)).toBe(false)
  },
)

test('search engines may list what is written for everybody, and nothing else', () => {
  const listed = Object.values(paths).filter(({ path }) => isListed(path))
  expect(listed.map(({ path }) => path)).toEqual(['/', '/register', '/terms', '/privacy'])
})
