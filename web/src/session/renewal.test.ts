import { sessionCookieName } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api, NetworkError } from '@/lib/api'
import { renewSession } from './renewal'

const refreshSession = vi.fn()
vi.mock('./supabase-client', () => ({ getSupabase: async () => ({ auth: { refreshSession } }) }))

function keep(refreshToken: string) {
  const soon = Math.floor(Date.now() / 1000) + 1200
  const session = {
    access_token: `x.${btoa('{"sub":"ada"}')}.x`,
    refresh_token: refreshToken,
    expires_at: soon,
  }
  vi.stubGlobal('document', { cookie: `${sessionCookieName}=${encodeURIComponent(JSON.stringify(session))}` })
}

const failure = (name: string) => ({
  data: { session: null },
  error: Object.assign(new Error(name), { name }),
})

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', undefined)
  keep('first')
})
afterEach(() => vi.unstubAllGlobals())

test('what Auth refuses is over, and its cookies are gone', async () => {
  refreshSession.mockResolvedValueOnce(failure('AuthApiError'))
  expect(await renewSession()).toBe('refused')
  expect(document.cookie).toContain('Max-Age=0')
})

test('another tab that was quicker has renewed it for this one, too', async () => {
  refreshSession.mockImplementationOnce(async () => {
    keep('second')
    return failure('AuthRefreshDiscardedError')
  })
  expect(await renewSession()).toBe('renewed')
})

test('a server in trouble signs nobody out: the call failed, the session did not', async () => {
  refreshSession.mockResolvedValue(failure('AuthRetryableFetchError'))
  expect(await renewSession()).toBe('unreachable')
  vi.stubGlobal('fetch', async () =>
    Response.json({ message: 'Unauthorized', code: 'unauthorized' }, { status: 401 }),
  )
  await expect(api.get('/api/auth/user', OwnUser)).rejects.toBeInstanceOf(NetworkError)
  expect(document.cookie).not.toContain('Max-Age=0')
})

test('many calls that are refused at once ask once', async () => {
  refreshSession.mockClear()
  refreshSession.mockResolvedValue({ data: { session: {} }, error: null })
  expect(await Promise.all([renewSession(), renewSession(), renewSession()])).toEqual(
    Array(3).fill('renewed'),
  )
  expect(refreshSession).toHaveBeenCalledTimes(1)
})
