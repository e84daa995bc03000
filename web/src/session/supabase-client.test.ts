import { sessionCookieName } from '@contract/auth.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authFetch } from './auth-fetch'

const address = 'http://app.test/auth/v1/token?grant_type=refresh_token'
const soon = Math.floor(Date.now() / 1000) + 1200

function session(refreshToken: string) {
  const claims = btoa('{"sub":"ada"}')
  return { access_token: `x.${claims}.x`, refresh_token: refreshToken, expires_at: soon }
}

function keep(refreshToken: string) {
  const cookie = `${sessionCookieName}=${encodeURIComponent(JSON.stringify(session(refreshToken)))}`
  vi.stubGlobal('document', { cookie })
}

const renewal = (refreshToken: string) =>
  authFetch(address, { method: 'POST', body: JSON.stringify({ refresh_token: refreshToken }) })

let server = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('location', { href: 'http://app.test/' })
  // The locks of a browser: one after the other.
  let last: Promise<unknown> = Promise.resolve()
  const request = (_: string, work: () => Promise<unknown>) => {
    last = last.catch(() => undefined).then(work)
    return last
  }
  vi.stubGlobal('navigator', { locks: { request } })
  server = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', server)
})

afterEach(() => vi.unstubAllGlobals())

test('two tabs that show one token: the second is given what the first received', async () => {
  keep('first')
  server.mockImplementation(async () => {
    setTimeout(() => keep('second'), 20)
    return Response.json(session('second'))
  })
  const answers = await Promise.all([renewal('first'), renewal('first')])
  const tokens = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { refresh_token: string }).refresh_token),
  )
  expect(tokens).toEqual(['second', 'second'])
  expect(server).toHaveBeenCalledTimes(1)
})

test('only a word of Auth itself is a refusal', async () => {
  keep('first')
  const statusOf = async (answer: Response) => {
    server.mockResolvedValueOnce(answer)
    return (await renewal('first')).status
  }
  expect(await statusOf(Response.json({ error_code: 'refresh_token_not_found' }, { status: 400 }))).toBe(400)
  expect(await statusOf(Response.json({ message: 'Too many' }, { status: 429 }))).toBe(503)
  expect(await statusOf(Response.json({ message: 'Down' }, { status: 502 }))).toBe(503)
  expect(await statusOf(new Response('<h1>Sign in to the hotel</h1>', { status: 200 }))).toBe(503)
  expect(await statusOf(new Response('<h1>Forbidden</h1>', { status: 403 }))).toBe(503)
})

test('a connection that fails is passed on, and the next in line has its turn', async () => {
  keep('first')
  server.mockRejectedValueOnce(new TypeError('fetch failed'))
  server.mockResolvedValueOnce(Response.json({ error_code: 'session_not_found' }, { status: 403 }))
  const [first, second] = await Promise.allSettled([renewal('first'), renewal('first')])
  expect(first.status).toBe('rejected')
  expect(second).toMatchObject({ status: 'fulfilled', value: { status: 403 } })
})

test('every other call passes as it is', async () => {
  const answer = new Response('<html>', { status: 500 })
  server.mockResolvedValue(answer)
  expect(await authFetch('http://app.test/auth/v1/user')).toBe(answer)
  expect(await authFetch('http://app.test/auth/v1/logout', { method: 'POST' })).toBe(answer)
})
