import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { api, reachability, reportReachability, setSessionRenewal, withQuery } from './api'
import { isTransient, NetworkError } from './errors'

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

test('uses the response to an early request once, unless the session or data may have changed', async () => {
  const schema = z.array(z.string())
  const cookieOf = (session: object) => `ovation-auth=${encodeURIComponent(JSON.stringify(session))}`
  const page = { cookie: cookieOf({ access_token: 'first' }) }
  const earlyRequests = { cookies: page.cookie, responses: new Map<string, Promise<Response>>() }
  vi.stubGlobal('document', page)
  vi.stubGlobal('fetch', async () => Response.json(['later']))
  const request = () => {
    earlyRequests.responses.set('/api/x', Promise.resolve(Response.json(['early'])))
    vi.stubGlobal('window', { earlyRequests })
  }
  request()
  expect(await api.get('/api/x', schema)).toEqual(['early'])
  expect(await api.get('/api/x', schema)).toEqual(['later'])
  request()
  page.cookie = `language=es; ${cookieOf({ user: {}, access_token: 'first' })}`
  expect(await api.get('/api/x', schema)).toEqual(['early'])
  request()
  page.cookie = cookieOf({ access_token: 'second' })
  expect(await api.get('/api/x', schema)).toEqual(['later'])
  page.cookie = cookieOf({ access_token: 'first' })
  request()
  const cancel = vi.fn()
  earlyRequests.responses.set('/api/unread', Promise.resolve(new Response(new ReadableStream({ cancel }))))
  await api.post('/api/y', {}, schema)
  expect(await api.get('/api/x', schema)).toEqual(['later'])
  expect(cancel).toHaveBeenCalled()
})

test('throws a NetworkError if the response is cut off, unless the caller aborted the request', async () => {
  const broken = () => new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) })
  expect(await requestError(broken())).toBeInstanceOf(NetworkError)
  expect(await requestError(broken(), AbortSignal.abort())).not.toBeInstanceOf(NetworkError)
  expect(await requestError(broken(), AbortSignal.timeout(1))).toBeInstanceOf(NetworkError)
})

test('treats an unreadable response as transient', async () => {
  expect(isTransient(await requestError('<html>'))).toBe(true)
  expect(isTransient(await requestError('{"a":1}'))).toBe(true)
})

test('loads the schema while it waits for the response', async () => {
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

test('times out even if renewing the session never finishes', async () => {
  setSessionRenewal({ ensureFresh: () => new Promise(() => {}), renew: async () => 'refused' })
  expect(await requestError('[]', AbortSignal.timeout(50))).toBeInstanceOf(NetworkError)
})

describe('reachability', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    reportReachability(true)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const reachable = () => reachability.getState().reachable

  test('reports a failure after a delay and a success immediately', () => {
    reportReachability(false)
    expect(reachable()).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(reachable()).toBe(false)
    reportReachability(true)
    expect(reachable()).toBe(true)
  })

  test('ignores a failure that is followed by a success', () => {
    reportReachability(false)
    vi.advanceTimersByTime(300)
    reportReachability(true)
    vi.advanceTimersByTime(5000)
    expect(reachable()).toBe(true)
  })
})
