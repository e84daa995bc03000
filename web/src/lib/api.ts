import { nextCursorHeader, totalCountHeader } from '@contract/common.ts'
import { ErrorBody, type ErrorCode } from '@contract/errors.ts'
import { z } from 'zod'
import { reportReachability } from './reachability'

/**
 * An answer with a status of 400 or above. `message` is `"<status>: <body text>"`; for people use `serverMessage`,
 * the sentence the server wrote, which is empty when it wrote none.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly serverMessage: string
  readonly errors: Record<string, string[]>
  /** Seconds after which a refused call may be tried again, where the server says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, text: string, retryAfter?: number) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.retryAfter = retryAfter
    const body = parseErrorBody(text)
    this.code = body?.code
    this.serverMessage = body?.message ?? ''
    this.errors = body?.errors ?? {}
  }
}

/** The server could not be reached at all. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
    this.name = 'NetworkError'
  }
}

/** The server did as asked, but its answer cannot be read. */
class UnreadableAnswer extends Error {}

/** Returns whether a call failed because it was made without a valid session. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('401:') && error.message.includes('Unauthorized')
}

/** True for failures that may pass by themselves: no connection, too many calls, a server in trouble. */
export function isTransient(error: unknown): boolean {
  // An answer that cannot be read may be one that a proxy garbled.
  if (error instanceof NetworkError || error instanceof UnreadableAnswer) return true
  return error instanceof ApiError && (error.status === 429 || error.status === 408 || error.status >= 500)
}

/** What the server said, else `fallback`. */
export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.serverMessage ? error.serverMessage : fallback
}

/** One page of a list; `nextCursor` is null on the last one. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
  /** How many there are on all pages, where the list says so. */
  total?: number
}

interface CallOptions {
  signal?: AbortSignal
}

type Query = Record<string, string | number | undefined>

/** Adds the query to a path, leaving out what is undefined. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const parsed = ErrorBody.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    // A proxy or an older server may use codes we do not know; its sentence is still worth showing.
    const loose = z.object({ message: z.string() }).safeParse(JSON.parse(text))
    return loose.success ? { message: loose.data.message, code: 'internal_error' } : undefined
  } catch {
    return undefined
  }
}

/** Sends a request once. Rejects if there is no response. */
export type Attempt = () => Promise<Response>

/** A call with a JSON body, or none. */
function json(method: string, path: string, body: unknown, { signal }: CallOptions): Attempt {
  const init: RequestInit = { method, credentials: 'include', headers: { accept: 'application/json' } }
  if (signal) init.signal = signal
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { accept: 'application/json', 'content-type': 'application/json' }
  }
  return () => fetch(path, init)
}

/**
 * Makes one attempt and returns its response. Every request goes through here.
 *
 * @throws NetworkError if the connection is lost
 */
export async function sendRequest(attempt: Attempt, signal: AbortSignal | undefined): Promise<Response> {
  try {
    const response = await attempt()
    reportReachability(true)
    return response
  } catch (error) {
    throw lost(error, signal)
  }
}

/** What to throw for a call that got no (whole) answer: its caller's own change of mind stays what it is. */
function lost(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted && !isTimeout(signal.reason)) return error
  reportReachability(false)
  return new NetworkError(error)
}

/** Waits for `work` no longer than the signal allows: renewing a session takes none. */
function within<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(lost(signal.reason, signal))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A call that ran out of time (`AbortSignal.timeout`) is a failure of the connection, not a change of mind. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

async function request(method: string, path: string, body: unknown, options: CallOptions): Promise<Response> {
  return sendWithSession(json(method, path, body, options), path, options)
}

/** Calls whose 401 may be about the password that came with them. */
const asksPassword = ['/api/auth/login', '/api/account']

/** How calls renew the session. Set by `session/renewal.ts`, which lib must not import. */
interface SessionRenewal {
  /** Renews a session that is about to expire. */
  ensureFresh: () => Promise<void>
  /** Renews the session after a 401. `unreachable` means that it may still be valid. */
  renew: () => Promise<'renewed' | 'refused' | 'unreachable'>
}

let sessionRenewal: SessionRenewal = { ensureFresh: async () => undefined, renew: async () => 'refused' }

export function setSessionRenewal(renewal: SessionRenewal): void {
  sessionRenewal = renewal
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
  { signal }: CallOptions,
): Promise<Response> {
  await within(sessionRenewal.ensureFresh(), signal)
  let response = await sendRequest(attempt, signal)
  // A token can be refused before its time is up (a wrong clock, a rotated key): renew it once.
  if (response.status === 401 && !asksPassword.includes(path)) {
    const renewal = await within(sessionRenewal.renew(), signal)
    if (renewal === 'renewed') response = await sendRequest(attempt, signal)
    // Nobody knows whether the session is over: that is no reason to sign anyone out.
    else if (renewal === 'unreachable') throw new NetworkError(new Error('Auth does not answer.'))
  }
  return assertOk(response)
}

/** Returns a successful response. @throws ApiError if the response has an error status */
export async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const text = (await response.text().catch(() => '')) || response.statusText
  const retryAfter = Number(response.headers.get('retry-after'))
  throw new ApiError(response.status, text, retryAfter > 0 ? retryAfter : undefined)
}

/** Returns the body of a response. @throws an error that counts as transient if the body does not match the schema */
export async function parseResponse<T>(
  response: Response,
  schema: z.ZodType<T>,
  path: string,
  { signal }: CallOptions,
): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    throw lost(error, signal)
  })
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new UnreadableAnswer(`Unexpected answer of ${path}: ${z.prettifyError(parsed.error)}`)
}

/** Undefined, which no schema takes, where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls to `/api`, with the session's cookies, each answer checked against its schema. */
export const api = {
  async get<T>(path: string, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
    return parseResponse(await request('GET', path, undefined, options), schema, path, options)
  },
  /** A list by cursor. */
  async page<Item>(path: string, item: z.ZodType<Item>, options: CallOptions = {}): Promise<Page<Item>> {
    const response = await request('GET', path, undefined, options)
    const items = await parseResponse(response, z.array(item), path, options)
    const total = response.headers.get(totalCountHeader)
    return {
      items,
      nextCursor: response.headers.get(nextCursorHeader),
      ...(total !== null && { total: Number(total) }),
    }
  },
  async post<T>(path: string, body: unknown, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
    return parseResponse(await request('POST', path, body, options), schema, path, options)
  },
  /** Stores something once; `made` is false where it was there before. */
  async store<T>(
    path: string,
    body: unknown,
    schema: z.ZodType<T>,
    options: CallOptions = {},
  ): Promise<{ made: boolean; item: T }> {
    const response = await request('POST', path, body, options)
    return { made: response.status === 201, item: await parseResponse(response, schema, path, options) }
  },
  /** Sends the whole of something, in place of what it was. */
  async replace<T>(path: string, body: unknown, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
    return parseResponse(await request('PUT', path, body, options), schema, path, options)
  },
  async patch<T>(path: string, body: unknown, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
    return parseResponse(await request('PATCH', path, body, options), schema, path, options)
  },
  /** A file to be kept, whole: one that breaks off on the way is a `NetworkError`. `name` is what the server calls it. */
  async file(path: string): Promise<{ blob: Blob; name: string | undefined }> {
    const response = await request('GET', path, undefined, {})
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    const blob = await response.blob().catch((error: unknown) => {
      throw lost(error, undefined)
    })
    return { blob, name }
  },
  /** A call whose answer nobody reads. */
  async command(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<void> {
    const response = await request(method, path, body, {})
    await response.body?.cancel()
  },
  async delete(path: string, body?: unknown): Promise<void> {
    return api.command('DELETE', path, body)
  },
}
