import { decodeJwt } from 'jose'
import { equalsInConstantTime } from '../../supabase/functions/_shared/http/constant-time.ts'
import { forbidden } from './error-responses.ts'

/**
 * Returns whether all clients may send a request to Auth. They may refresh a session, read its user, and sign out.
 * Everything else (sign-up, sign-in, recovery) is reserved for the API, which applies the captcha and the rate limits
 * and then calls Auth with the secret key.
 */
export function isPublicAuthRequest(method: string, url: URL): boolean {
  if (url.pathname === '/auth/v1/user') return method === 'GET'
  if (url.pathname === '/auth/v1/logout') return method === 'POST'
  if (url.pathname !== '/auth/v1/token' || method !== 'POST') return false
  // If there are two values, `@supabase/lite` might not use the one that is checked here.
  const types = url.searchParams.getAll('grant_type')
  return types.length === 1 && types[0] === 'refresh_token'
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
  return equalsInConstantTime(request.headers.get('apikey') ?? '', secretKey) ? null : forbidden()
}

/**
 * Returns whether a header contains a JWT with the scopes of a personal access token. The signature is not verified.
 */
function isExchangedToken(authorization: string | null): boolean {
  try {
    // Unlike `bearerToken`, accepts every form of the header that lite may accept.
    return 'token_scopes' in decodeJwt(authorization?.replace(/^bearer\s+/i, '') ?? '')
  } catch {
    return false
  }
}
