import { sessionCookieName } from '@contract/session-cookie.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authFetch } from './supabase-client'

const url = 'http://app.test/auth/v1/token?grant_type=refresh_token'
const expiresAt = Math.floor(Date.now() / 1000) + 1200

function session(refreshToken: string) {
  const claims = btoa('{"sub":"ada"}')
  return { access_token: `x.${claims}.x`, refresh_token: refreshToken, expires_at: expiresAt }
}

function storeSession(refreshToken: string) {
  const cookie = `${sessionCookieName}=${encodeURIComponent(JSON.stringify(session(refreshToken)))}`
  vi.stubGlobal('document', { cookie })
}

const renew = (refreshToken: string) =>
  authFetch(url, { method: 'POST', body: JSON.stringify({ refresh_token: refreshToken }) })

let fetchMock = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('location', { href: 'http://app.test/' })
  // A fake of the Web Locks API that runs the callbacks one after the other.
  let last: Promise<unknown> = Promise.resolve()
  const request = (_: string, work: () => Promise<unknown>) => {
    last = last.catch(() => undefined).then(work)
    return last
  }
  vi.stubGlobal('navigator', { locks: { request } })
  fetchMock = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', fetchMock)
})

afterEach(() => vi.unstubAllGlobals())

test('shares a renewed session with another tab that had the same token', async () => {
  storeSession('first')
  fetchMock.mockImplementation(async () => {
    setTimeout(() => storeSession('second'), 20)
    return Response.json(session('second'))
  })
  const responses = await Promise.all([renew('first'), renew('first')])
  const tokens = await Promise.all(
    responses.map(async (response) => ((await response.json()) as { refresh_token: string }).refresh_token),
  )
  expect(tokens).toEqual(['second', 'second'])
  expect(fetchMock).toHaveBeenCalledTimes(1)
})

test('passes on only rejections from Auth itself and turns other failures into a 503', async () => {
  storeSession('first')
  const statusFor = async (response: Response) => {
    fetchMock.mockResolvedValueOnce(response)
    return (await renew('first')).status
  }
  expect(await statusFor(Response.json({ error_code: 'refresh_token_not_found' }, { status: 400 }))).toBe(400)
  expect(await statusFor(Response.json({ message: 'Too many' }, { status: 429 }))).toBe(503)
  expect(await statusFor(Response.json({ message: 'Down' }, { status: 502 }))).toBe(503)
  expect(await statusFor(new Response('<h1>Sign in to the hotel</h1>', { status: 200 }))).toBe(503)
  expect(await statusFor(new Response('<h1>Forbidden</h1>', { status: 403 }))).toBe(503)
})

test('passes on a network error and lets the next tab renew', async () => {
  storeSession('first')
  fetchMock.mockRejectedValueOnce(new TypeError('fetch failed'))
  fetchMock.mockResolvedValueOnce(Response.json({ error_code: 'session_not_found' }, { status: 403 }))
  const [first, second] = await Promise.allSettled([renew('first'), renew('first')])
  expect(first.status).toBe('rejected')
  expect(second).toMatchObject({ status: 'fulfilled', value: { status: 403 } })
})

test('changes nothing about requests that are not renewals', async () => {
  const response = new Response('<html>', { status: 500 })
  fetchMock.mockResolvedValue(response)
  expect(await authFetch('http://app.test/auth/v1/user')).toBe(response)
  expect(await authFetch('http://app.test/auth/v1/logout', { method: 'POST' })).toBe(response)
})
