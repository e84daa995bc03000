import { env } from '../env.ts'
import { bearerToken } from './bearer-token.ts'
import { ApiError } from './errors.ts'
import { readSessionCookie } from './session-cookie.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const allowedFetchSites = new Set(['same-origin', 'none'])

/**
 * Rejects a state-changing request that another site made the browser send, because such a request can include the
 * session cookie. A request with a token and without that cookie is accepted from any origin: no site can make a
 * browser add a token that the site does not know.
 *
 * @throws ApiError 403 `origin_refused`
 */
export function checkOrigin(request: Request) {
  if (safeMethods.has(request.method)) return
  const { headers } = request
  if (bearerToken(headers.get('authorization')) && !readSessionCookie(headers.get('cookie'))) return
  const origin = headers.get('origin')
  if (origin !== null) {
    if (!env.origins.has(origin)) throw originRefused()
    return
  }
  // Programs other than browsers send neither Origin nor Sec-Fetch-Site. A browser that omits Origin still sends
  // Sec-Fetch-Site.
  rejectCrossSite(headers)
}

/**
 * Rejects a cross-site request without a bearer token. Routes that only read but are costly, such as exports, call this
 * too, because a link on another site must not trigger them.
 *
 * @throws ApiError 403 `origin_refused`
 */
export function rejectCrossSite(headers: Headers): void {
  if (isCrossSite(headers) && !bearerToken(headers.get('authorization'))) throw originRefused()
}

/**
 * Returns whether the browser reports that another site, or another subdomain of this site, made it send the request.
 */
export function isCrossSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && !allowedFetchSites.has(site)
}

const originRefused = () =>
  new ApiError(403, 'Requests from other sites are not allowed.', { code: 'origin_refused' })
