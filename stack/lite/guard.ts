import { AsyncLocalStorage } from 'node:async_hooks'
import { decodeJwt } from 'jose'
import { badRequest, failureResponse, forbidden, notFound } from '../shared/error-responses.ts'
import { hasLoopbackHost, secretsEqual } from '../shared/loopback.ts'

/**
 * Returns whether a request to Auth is open to all clients: refreshing a session, reading its user, signing out.
 * Everything else (sign-up, sign-in, recovery) is reserved for the API, which applies the captcha and the rate limits
 * and then calls Auth with the secret key.
 */
export function isPublicAuthRequest(method: string, url: URL): boolean {
  if (url.pathname === '/auth/v1/user') return method === 'GET'
  if (url.pathname === '/auth/v1/logout') return method === 'POST'
  if (url.pathname !== '/auth/v1/token' || method !== 'POST') return false
  // If there are two values, lite might not use the one that is checked here.
  const types = url.searchParams.getAll('grant_type')
  return types.length === 1 && types[0] === 'refresh_token'
}

/**
 * Rejects requests that lite would serve but should not. The gateway cannot do this, because programs and web pages on
 * this machine can reach lite's ports directly.
 *
 * @param prefixes the prefixes of the paths that the process serves; lite's other endpoints reveal its configuration
 * @returns the error response, or null if the request is allowed
 */
export function guard(request: Request, prefixes: string[]): Response | null {
  if (!hasLoopbackHost(request)) return forbidden()
  const { pathname, search } = new URL(request.url)
  if (!isDecodable(`${pathname}${search}`)) return badRequest()
  return prefixes.some((prefix) => pathname.startsWith(prefix)) ? null : notFound()
}

/**
 * Rejects requests to Auth that only the API may send, unless they have the secret key. Like Supabase's Auth, also
 * rejects requests with a JWT that was issued in exchange for a personal access token, because such a JWT has no
 * session.
 */
export function guardAuth(request: Request, secretKey: string): Response | null {
  const url = new URL(request.url)
  if (!url.pathname.startsWith('/auth/v1')) return null
  if (isExchangedToken(request.headers.get('authorization'))) return forbidden()
  if (isPublicAuthRequest(request.method, url)) return null
  return secretsEqual(request.headers.get('apikey') ?? '', secretKey) ? null : forbidden()
}

/**
 * Returns whether a header contains a JWT with the scopes of a personal access token. The signature is not verified.
 */
function isExchangedToken(authorization: string | null): boolean {
  try {
    return 'token_scopes' in decodeJwt(authorization?.replace(/^bearer\s+/i, '') ?? '')
  } catch {
    return false
  }
}

/** Returns whether the percent-encoded parts of a URL decode to text that PostgreSQL can store. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0')
  } catch {
    return false
  }
}

/**
 * Replaces a request for an estimated count with one for the exact count. The planner estimates from statistics over
 * all rows, including those hidden by row-level security, so repeated filtered estimates would reveal hidden values.
 */
export function forceExactCount(request: Request): Request {
  const prefer = request.headers.get('prefer')
  if (!prefer || !/count\s*=\s*(planned|estimated)/i.test(prefer)) return request
  const headers = new Headers(request.headers)
  headers.set('prefer', prefer.replace(/count\s*=\s*(planned|estimated)/gi, 'count=exact'))
  return new Request(request, { headers })
}

const loggedErrors = new AsyncLocalStorage<unknown[]>()

/**
 * Turns the console off, because lite logs statements and email addresses to it, which must not be recorded. Errors are
 * kept until the end of the request (`hideDatabaseErrors`).
 */
export function silenceConsole(): void {
  for (const level of ['debug', 'log', 'info', 'warn'] as const) console[level] = () => undefined
  console.error = (...values: unknown[]) =>
    void loggedErrors.getStore()?.push(...values.filter((value) => value instanceof Error))
}

/**
 * Replaces lite's 5xx responses, which may contain error messages from the database or the file system.
 *
 * @param handle calls lite. The errors that lite logs during the call are examined too, because Auth's responses do not
 *   contain them.
 */
export async function hideDatabaseErrors(
  handle: () => Response | Promise<Response>,
  log: { error(event: string, fields: { reason: string }): void },
): Promise<Response> {
  const errors: unknown[] = []
  const response = await loggedErrors.run(errors, async () => await handle())
  if (response.status < 500) return response
  const codes = errors.map((error) => (error instanceof Error && 'code' in error ? error.code : ''))
  const text = [await response.text(), ...errors, ...codes].join('\n')
  const hidden = failureResponse(text)
  if (hidden.status === 500) log.error('request_failed', { reason: text.slice(0, 500) })
  return hidden
}
