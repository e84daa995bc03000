import { sessionCookieName } from '@contract/session-cookie.ts'
import { OwnUser } from '@contract/user.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '@/lib/api'
import { NetworkError } from '@/lib/errors'
import { renewSession } from './renewal'

const refreshSession = vi.fn()
vi.mock('./supabase-client', () => ({ getSupabase: async () => ({ auth: { refreshSession } }) }))

function storeSession(refreshToken: string) {
  const expiresAt = Math.floor(Date.now() / 1000) + 1200
  const session = {
    access_token: `x.${btoa('{"sub":"ada"}')}.x`,
    refresh_token: refreshToken,
    expires_at: expiresAt,
  }
  vi.stubGlobal('document', { cookie: `${sessionCookieName}=${encodeURIComponent(JSON.stringify(session))}` })
}

const failure = (name: string) => ({
  data: { session: null },
  error: Object.assign(new Error(name), { name }),
})

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', undefined)
  storeSession('first')
})
afterEach(() => vi.unstubAllGlobals())

test('deletes the session cookie if Auth refuses the renewal', async () => {
  refreshSession.mockResolvedValueOnce(failure('AuthApiError'))
  expect(await renewSession('first')).toBe('refused')
  expect(document.cookie).toContain('Max-Age=0')
})

test('uses the session that another tab has renewed in the meantime', async () => {
  refreshSession.mockImplementationOnce(async () => {
    storeSession('second')
    return failure('AuthRefreshDiscardedError')
  })
  expect(await renewSession('first')).toBe('renewed')
})

test('does not sign the user out while Auth is unavailable', async () => {
  refreshSession.mockResolvedValue(failure('AuthRetryableFetchError'))
  expect(await renewSession('first')).toBe('unreachable')
  vi.stubGlobal('fetch', async () =>
    Response.json({ message: 'Unauthorized', code: 'unauthorized' }, { status: 401 }),
  )
  await expect(api.get('/api/auth/user', OwnUser)).rejects.toBeInstanceOf(NetworkError)
  expect(document.cookie).not.toContain('Max-Age=0')
})

test('uses a session that was renewed since the request was sent', async () => {
  refreshSession.mockClear()
  storeSession('second')
  expect(await renewSession('first')).toBe('renewed')
  expect(refreshSession).not.toHaveBeenCalled()
})

test('renews the session once for concurrent calls', async () => {
  refreshSession.mockClear()
  refreshSession.mockResolvedValue({ data: { session: {} }, error: null })
  expect(await Promise.all([renewSession('first'), renewSession('first'), renewSession('first')])).toEqual(
    Array(3).fill('renewed'),
  )
  expect(refreshSession).toHaveBeenCalledTimes(1)
})
