import { nextCursorHeader, totalCountHeader } from '@contract/headers.ts'
import { decodeSessionCookie, findSessionCookie } from '@contract/session-cookie.ts'
import type { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import { ApiError, NetworkError, UnreadableResponseError } from './errors'
import { fieldsOf, parseJson } from './json'

/** One page of a list. `nextCursor` is null on the last page. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
  /** The number of items on all pages, for lists whose responses include it. */
  total?: number
}

interface RequestOptions {
  signal?: AbortSignal
}

/** A schema, or a function that loads it. Code that every page loads must not import schemas, because zod is large. */
type LoadableSchema<T> = z.ZodType<T> | (() => Promise<z.ZodType<T>>)

/** Requests to `/api` with the session's cookies. JSON responses are checked against their schemas. */
export const api = {
  async get<T>(path: string, schema: LoadableSchema<T>, options: RequestOptions = {}): Promise<T> {
    return requestData('GET', path, undefined, schema, options)
  },
  /** Returns one page of a list with cursor pagination. */
  async page<Item>(path: string, item: z.ZodType<Item>, options: RequestOptions = {}): Promise<Page<Item>> {
    const response = await request('GET', path, undefined, options)
    const items = await parseResponse(response, item.array(), path, options)
    const total = response.headers.get(totalCountHeader)
    return {
      items,
      nextCursor: response.headers.get(nextCursorHeader),
      ...(total !== null && { total: Number(total) }),
    }
  },
  async post<T>(
    path: string,
    body: unknown,
    schema: LoadableSchema<T>,
    options: RequestOptions = {},
  ): Promise<T> {
    return requestData('POST', path, body, schema, options)
  },
  /** Sends an idempotent POST. `created` is false if the resource already existed. */
  async create<T>(
    path: string,
    body: unknown,
    schema: z.ZodType<T>,
    options: RequestOptions = {},
  ): Promise<{ created: boolean; item: T }> {
    const response = await request('POST', path, body, options)
    return { created: response.status === 201, item: await parseResponse(response, schema, path, options) }
  },
  async put<T>(path: string, body: unknown, schema: z.ZodType<T>, options: RequestOptions = {}): Promise<T> {
    return requestData('PUT', path, body, schema, options)
  },
  async patch<T>(
    path: string,
    body: unknown,
    schema: z.ZodType<T>,
    options: RequestOptions = {},
  ): Promise<T> {
    return requestData('PATCH', path, body, schema, options)
  },
  /**
   * Downloads a file. `name` is the file name in the `Content-Disposition` header.
   *
   * @throws NetworkError if the download is interrupted
   */
  async download(path: string): Promise<{ blob: Blob; name: string | undefined }> {
    const response = await request('GET', path, undefined, {})
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    const blob = await response.blob().catch((error: unknown) => {
      throw toNetworkError(error, undefined)
    })
    return { blob, name }
  },
  /** Sends a request and returns the validated body of the response. */
  async send<T>(method: 'POST' | 'DELETE', path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
    return requestData(method, path, body, schema, {})
  },
  /** Sends a request and ignores the body of the response. */
  async command(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<void> {
    const response = await request(method, path, body, {})
    await response.body?.cancel()
  },
  async delete(path: string, body?: unknown): Promise<void> {
    return api.command('DELETE', path, body)
  },
}

/** Returns the options of an infinite query for a list with cursor pagination. */
export const pagedList = <Item>(path: string, query: Query, item: z.ZodType<Item>) => ({
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    api.page(withQuery(path, { ...query, cursor: pageParam ?? undefined }), item, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last: Page<Item>) => last.nextCursor,
})

type Query = Record<string, string | number | undefined>

/** Adds a query string to a path. Omits values that are undefined. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path
}

/** Sends a request, loads the schema at the same time if necessary, and returns the validated response body. */
async function requestData<T>(
  method: string,
  path: string,
  body: unknown,
  schema: LoadableSchema<T>,
  options: RequestOptions,
): Promise<T> {
  const loading = loadSchema(schema)
  // If the request fails too, only its error is thrown. This handler prevents an unhandled rejection in that case.
  loading.catch(() => undefined)
  const response = await request(method, path, body, options)
  return parseResponse(response, await untilAborted(loading, options.signal), path, options)
}

/** @throws NetworkError if the schema cannot be loaded */
async function loadSchema<T>(schema: LoadableSchema<T>): Promise<z.ZodType<T>> {
  if (typeof schema !== 'function') return schema
  try {
    return await schema()
  } catch (error) {
    throw new NetworkError(error)
  }
}

async function request(
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions,
): Promise<Response> {
  return sendWithSession(jsonAttempt(method, path, body, options), path, options)
}

/** Returns the validated body of a response. @throws UnreadableResponseError if the body does not match the schema */
export async function parseResponse<T>(
  response: Response,
  schema: z.ZodType<T>,
  path: string,
  { signal }: RequestOptions,
): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    throw toNetworkError(error, signal)
  })
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new UnreadableResponseError(`Unexpected response from ${path}: ${parsed.error.message}`)
}

/**
 * Sends a request with the session's cookies and renews the session if necessary.
 *
 * @throws ApiError if the response has an error status
 * @throws NetworkError if the connection is lost
 */
export async function sendWithSession(
  attempt: Attempt,
  path: string,
  { signal }: RequestOptions,
): Promise<Response> {
  const refreshToken = await untilAborted(sessionRenewal.ensureFresh(), signal)
  let response = await sendRequest(attempt, signal)
  // A token can be rejected before it expires (wrong clock, rotated key). Renew it once.
  if (response.status === 401 && !passwordPaths.includes(path)) {
    const renewal = await untilAborted(sessionRenewal.renew(refreshToken), signal)
    if (renewal === 'renewed') response = await sendRequest(attempt, signal)
    // The session may still be valid, so do not sign the user out.
    else if (renewal === 'unreachable') throw new NetworkError(new Error('Auth does not respond.'))
  }
  return assertOk(response)
}

/** Paths where a 401 may mean that the password in the request is wrong. */
const passwordPaths = ['/api/auth/login', '/api/account']

/** How requests renew the session. Set by `session/renewal.ts`, which lib must not import. */
interface SessionRenewal {
  /** Renews a session that is about to expire. Returns the session's refresh token, or null if there is no session. */
  ensureFresh: () => Promise<string | null>
  /**
   * Renews the session after a 401, unless it has been renewed since the request was sent. `refreshToken` is the token
   * that the session had at that time. Returns `unreachable` if Auth does not respond, so that it is unknown whether
   * the session is still valid.
   */
  renew: (refreshToken: string | null) => Promise<'renewed' | 'refused' | 'unreachable'>
}

let sessionRenewal: SessionRenewal = { ensureFresh: async () => null, renew: async () => 'refused' }

export function setSessionRenewal(renewal: SessionRenewal): void {
  sessionRenewal = renewal
}

/** Returns the response if its status is not an error. @throws ApiError otherwise */
export async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const text = (await response.text().catch(() => '')) || response.statusText
  const retryAfter = Number(response.headers.get('retry-after'))
  throw new ApiError(response.status, text, retryAfter > 0 ? retryAfter : undefined)
}

/** Sends a request once. Rejects if there is no response. */
export type Attempt = () => Promise<Response>

/** Returns an attempt that sends `body` as JSON, or no body if it is undefined. */
function jsonAttempt(method: string, path: string, body: unknown, { signal }: RequestOptions): Attempt {
  const init: RequestInit = { method, credentials: 'include', headers: { accept: 'application/json' } }
  if (signal) init.signal = signal
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { accept: 'application/json', 'content-type': 'application/json' }
  }
  return () => takeEarlyResponse(method, path) ?? fetch(path, init)
}

/** How long the first screen may use early responses, in milliseconds after the app has started. */
const earlyResponsesMs = 10_000
if (typeof window !== 'undefined') setTimeout(dropEarlyResponses, earlyResponsesMs)

/**
 * Returns the response to a request that `boot.js` sent while the page loaded. Each response is returned only once.
 * Returns undefined if there is none, if the session has changed since that request, or if the response could be
 * outdated because of its age or because the page has sent a change to the server.
 */
function takeEarlyResponse(method: string, path: string): Promise<Response> | undefined {
  const early = typeof window === 'undefined' ? undefined : window.earlyRequests
  if (!early) return undefined
  if (method !== 'GET' || accessTokenIn(early.cookies) !== accessTokenIn(document.cookie)) {
    dropEarlyResponses()
    return undefined
  }
  const response = early.responses.get(path)
  early.responses.delete(path)
  return response
}

/** Cancels the unused early responses, which would otherwise keep their connections open. */
function dropEarlyResponses(): void {
  for (const response of window.earlyRequests?.responses.values() ?? [])
    response.then(({ body }) => body?.cancel()).catch(() => undefined)
  window.earlyRequests = undefined
}

/**
 * Returns the session's access token. Used to tell whether the session has changed, because the Supabase client may
 * rewrite the cookies without changing the token.
 */
function accessTokenIn(cookies: string): unknown {
  try {
    return fieldsOf(decodeSessionCookie(findSessionCookie(cookies) ?? '')).access_token
  } catch {
    return undefined
  }
}

/**
 * Makes one attempt, records whether it reached the server, and returns the response.
 *
 * @throws NetworkError if the connection is lost
 */
export async function sendRequest(attempt: Attempt, signal: AbortSignal | undefined): Promise<Response> {
  try {
    const response = await attempt()
    reportReachability(true)
    return response
  } catch (error) {
    throw toNetworkError(error, signal)
  }
}

/** Waits for `work`, but rejects if the signal aborts. For work that does not accept a signal itself. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(toNetworkError(signal.reason, signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/**
 * Returns the error to throw if there is no complete response: the original one if the caller aborted the request, else
 * a `NetworkError`.
 */
function toNetworkError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted && !isTimeout(signal.reason)) return error
  reportReachability(false)
  return new NetworkError(error)
}

/** Returns whether the request timed out (`AbortSignal.timeout`), which counts as a lost connection. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/**
 * Whether the server responds. Does not use `navigator.onLine`, which is false on an offline machine that runs the
 * server itself, and true while the server is down.
 */
export const reachability = createStore<{ reachable: boolean }>(() => ({ reachable: true }))

/** Milliseconds before a failure counts, because requests also fail while the browser leaves the page. */
const failureDelayMs = 800
let failureTimer: ReturnType<typeof setTimeout> | undefined

/** Records whether a request or the realtime socket reached the server. */
export function reportReachability(reachable: boolean): void {
  if (!reachable) {
    failureTimer ??= setTimeout(() => {
      failureTimer = undefined
      reachability.setState({ reachable: false })
    }, failureDelayMs)
    return
  }
  clearTimeout(failureTimer)
  failureTimer = undefined
  if (!reachability.getState().reachable) reachability.setState({ reachable: true })
}
