import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, api, errorMessage, isTransient, NetworkError, setSessionRenewal, withQuery } from './api'

test('an error says status and body, and keeps the server’s sentence apart', () => {
  const text =
    '{"message":"Username is already taken","code":"username_taken","errors":{"username":["taken"]}}'
  const error = new ApiError(409, text)
  expect(error.message).toBe(`409: ${text}`)
  expect(error.code).toBe('username_taken')
  expect(error.errors).toEqual({ username: ['taken'] })
  expect(errorMessage(error, 'fallback')).toBe('Username is already taken')
})

test('a body that is no JSON leaves the fallback', () => {
  const error = new ApiError(502, 'Bad Gateway')
  expect(error.message).toBe('502: Bad Gateway')
  expect(errorMessage(error, 'fallback')).toBe('fallback')
})

test('only what may pass by itself counts as transient', () => {
  expect([429, 500, 503].map((status) => isTransient(new ApiError(status, '')))).toEqual([true, true, true])
  expect([400, 401, 403, 404].some((status) => isTransient(new ApiError(status, '')))).toBe(false)
  expect(isTransient(new NetworkError(new TypeError('fetch failed')))).toBe(true)
})

test('a query leaves out what is undefined and escapes the rest', () => {
  expect(withQuery('/api/posts', { limit: 10, cursor: undefined })).toBe('/api/posts?limit=10')
  expect(withQuery('/api/posts', { cursor: 'a b&c' })).toBe('/api/posts?cursor=a+b%26c')
  expect(withQuery('/api/posts', {})).toBe('/api/posts')
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** What a call throws when the server's body is `body`. */
async function failureOf(body: BodyInit, signal?: AbortSignal): Promise<unknown> {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 200 }))
  return api.get('/api/x', z.array(z.string()), signal ? { signal } : {}).catch((error: unknown) => error)
}

test('an answer that breaks off is a failure of the connection, unless its caller gave up', async () => {
  const broken = () => new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) })
  expect(await failureOf(broken())).toBeInstanceOf(NetworkError)
  expect(await failureOf(broken(), AbortSignal.abort())).not.toBeInstanceOf(NetworkError)
  expect(await failureOf(broken(), AbortSignal.timeout(1))).toBeInstanceOf(NetworkError)
})

test('an answer that cannot be read may pass', async () => {
  expect(isTransient(await failureOf('<html>'))).toBe(true)
  expect(isTransient(await failureOf('{"a":1}'))).toBe(true)
})

test('a call times out even if the session is never renewed', async () => {
  setSessionRenewal({ ensureFresh: () => new Promise(() => {}), renew: async () => 'refused' })
  expect(await failureOf('[]', AbortSignal.timeout(50))).toBeInstanceOf(NetworkError)
})
