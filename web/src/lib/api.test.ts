import { i18n } from '@lingui/core'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, api, errorMessage, isTransient, NetworkError, setSessionRenewal, withQuery } from './api'

test('contains the status, the body and the server’s message', () => {
  const text =
    '{"message":"Username is already taken","code":"username_taken","errors":{"username":["taken"]}}'
  const error = new ApiError(409, text)
  expect(error.message).toBe(`409: ${text}`)
  expect(error.code).toBe('username_taken')
  expect(error.errors).toEqual({ username: ['taken'] })
  expect(errorMessage(error, 'fallback')).toBe('Username is already taken')
})

test('uses the fallback message if the body is not JSON', () => {
  const error = new ApiError(502, 'Bad Gateway')
  expect(error.message).toBe('502: Bad Gateway')
  expect(errorMessage(error, 'fallback')).toBe('fallback')
})

test('translates the message, or falls back to a text for the error code', () => {
  const body = (message: string, code: string) => JSON.stringify({ message, code })
  const errors = [
    new ApiError(404, body('Post not found', 'not_found')),
    new ApiError(400, body('The price of this post is now $5.00.', 'amount_mismatch')),
    new ApiError(500, body('No translation', 'internal_error')),
  ]
  i18n.loadAndActivate({ locale: 'es', messages: { 'Post not found': 'Publicación no encontrada' } })
  expect(errors.map((error) => errorMessage(error, 'fallback'))).toEqual([
    'Publicación no encontrada',
    'The price has changed. Reload the page and try again.',
    'fallback',
  ])
  i18n.activate('en')
  expect(errorMessage(errors[1], 'fallback')).toBe('The price of this post is now $5.00.')
})

test('keeps the message of a body with an unknown code or malformed errors', () => {
  const bodies = [
    { message: 'No', code: 'new_code', errors: { name: ['taken'] } },
    { message: 'No' },
    { message: 'No', code: 'conflict', errors: { name: 'taken' } },
    { message: 'No', code: 'conflict', errors: ['taken'] },
  ]
  for (const body of bodies) {
    const { code, serverMessage, errors } = new ApiError(409, JSON.stringify(body))
    expect({ code, serverMessage, errors }).toEqual({
      code: 'internal_error',
      serverMessage: 'No',
      errors: {},
    })
  }
  for (const text of ['null', '[]', '{"message":1,"code":"conflict"}'])
    expect(new ApiError(409, text)).toMatchObject({ code: undefined, serverMessage: '' })
})

test('treats rate limits, server errors and lost connections as transient', () => {
  expect([429, 500, 503].map((status) => isTransient(new ApiError(status, '')))).toEqual([true, true, true])
  expect([400, 401, 403, 404].some((status) => isTransient(new ApiError(status, '')))).toBe(false)
  expect(isTransient(new NetworkError(new TypeError('fetch failed')))).toBe(true)
})

test('omits undefined query values and escapes the others', () => {
  expect(withQuery('/api/posts', { limit: 10, cursor: undefined })).toBe('/api/posts?limit=10')
  expect(withQuery('/api/posts', { cursor: 'a b&c' })).toBe('/api/posts?cursor=a+b%26c')
  expect(withQuery('/api/posts', {})).toBe('/api/posts')
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Returns the error that a request throws if the server responds with `body`. */
async function requestError(body: BodyInit, signal?: AbortSignal): Promise<unknown> {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 200 }))
  return api.get('/api/x', z.array(z.string()), signal ? { signal } : {}).catch((error: unknown) => error)
}

test('throws a NetworkError if the response breaks off, unless the caller aborted the request', async () => {
  const broken = () => new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) })
  expect(await requestError(broken())).toBeInstanceOf(NetworkError)
  expect(await requestError(broken(), AbortSignal.abort())).not.toBeInstanceOf(NetworkError)
  expect(await requestError(broken(), AbortSignal.timeout(1))).toBeInstanceOf(NetworkError)
})

test('treats an unreadable response as transient', async () => {
  expect(isTransient(await requestError('<html>'))).toBe(true)
  expect(isTransient(await requestError('{"a":1}'))).toBe(true)
})

test('loads a schema while the server responds', async () => {
  vi.stubGlobal('fetch', async () => Response.json(['a']))
  const load = vi.fn(async () => z.array(z.string()))
  const data = api.get('/api/x', load)
  expect(load).toHaveBeenCalledTimes(1)
  expect(await data).toEqual(['a'])
})

test('treats a schema that cannot be loaded as a lost connection, unless the request fails too', async () => {
  const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  vi.stubGlobal('fetch', async () => Response.json(['a']))
  await expect(api.get('/api/x', load)).rejects.toBeInstanceOf(NetworkError)
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Not found' }, { status: 404 }))
  await expect(api.get('/api/x', load)).rejects.toMatchObject({ name: 'ApiError', status: 404 })
})

test('times out even if the renewal of the session does not end', async () => {
  setSessionRenewal({ ensureFresh: () => new Promise(() => {}), renew: async () => 'refused' })
  expect(await requestError('[]', AbortSignal.timeout(50))).toBeInstanceOf(NetworkError)
})
