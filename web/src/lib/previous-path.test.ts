import { afterEach, describe, expect, it, vi } from 'vitest'

/** Loads the module as if in a new document. `idx` is the document's position in the tab's history. */
async function openDocument({ referrer = '', idx = 0 } = {}) {
  vi.resetModules()
  vi.stubGlobal('window', { location: { origin: 'https://app.test' }, history: { state: { idx } } })
  vi.stubGlobal('document', { referrer })
  return import('./previous-path')
}

afterEach(() => vi.unstubAllGlobals())

describe('getPreviousPath', () => {
  it('returns the path before the last navigation', async () => {
    const { recordPath, getPreviousPath } = await openDocument()
    recordPath('/post/1')
    expect(getPreviousPath()).toBeNull()
    recordPath('/discover')
    recordPath('/discover')
    recordPath('/post/2')
    expect(getPreviousPath()).toBe('/discover')
  })

  it('ignores the sign-in screens, even if they were opened in a document of their own', async () => {
    const shared = await openDocument({ referrer: 'https://elsewhere.test/page' })
    for (const path of ['/post/1', '/login', '/register', '/welcome', '/post/1']) shared.recordPath(path)
    expect(shared.getPreviousPath()).toBeNull()
    const signIn = await openDocument({ referrer: 'https://app.test/post/1' })
    for (const path of ['/login', '/post/1']) signIn.recordPath(path)
    expect(signIn.getPreviousPath()).toBeNull()
    expect(signIn.isPreviousPathLost()).toBe(false)
  })

  it('returns the path in the app from which a new tab was opened', async () => {
    const paths = {
      'https://app.test/notifications': '/notifications',
      'https://app.test/login?next=x': null,
    }
    for (const [referrer, path] of Object.entries(paths)) {
      const { recordPath, getPreviousPath } = await openDocument({ referrer })
      recordPath('/post/1')
      expect(getPreviousPath()).toBe(path)
    }
  })

  it('does not know the path after a reload', async () => {
    const reloaded = await openDocument({ referrer: 'https://app.test/notifications', idx: 2 })
    reloaded.recordPath('/post/1')
    expect(reloaded.getPreviousPath()).toBeNull()
    expect(reloaded.isPreviousPathLost()).toBe(true)
  })
})
