import { forbidden, notFound } from '../shared/answers.ts'
import { namesLoopback, sameSecret } from '../shared/loopback.ts'

/**
 * The part of Auth that anyone may use with the publishable key: keeping a session alive, reading its user,
 * ending it. Everything else (sign-up, sign-in, recovery) is for the API, which has checked captcha and
 * limits first and calls with the secret key.
 */
export function isOpenAuth(method: string, url: URL): boolean {
  if (url.pathname === '/auth/v1/user') return method === 'GET'
  if (url.pathname === '/auth/v1/logout') return method === 'POST'
  if (url.pathname !== '/auth/v1/token' || method !== 'POST') return false
  // Exactly one: with two of them, the next reader might take the other one.
  const types = url.searchParams.getAll('grant_type')
  return types.length === 1 && types[0] === 'refresh_token'
}

/**
 * What lite does not answer although it could. The gateway shuts the same door; here it is shut for every
 * program and every page of this machine that finds the port.
 *
 * @returns the refusal, or null where the request may pass
 */
export function guard(request: Request, secretKey: string): Response | null {
  if (!namesLoopback(request)) return forbidden()
  const url = new URL(request.url)
  if (url.pathname.startsWith('/rest/v1') || url.pathname.startsWith('/storage/v1')) return null
  if (url.pathname.startsWith('/auth/v1')) {
    const key = request.headers.get('apikey') ?? ''
    if (isOpenAuth(request.method, url) || sameSecret(key, secretKey)) return null
    return forbidden()
  }
  // lite's own addresses tell how it is configured.
  return notFound()
}
