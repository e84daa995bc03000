import { env } from '../env.ts'
import { ApiError } from './errors.ts'
import { bearer } from './session.ts'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])
const ownSites = new Set(['same-origin', 'none'])

/**
 * Refuses a state-changing call that another site made a browser send: the session cookie would come with it.
 *
 * @throws ApiError 403 `origin_refused`
 */
export function checkOrigin(request: Request) {
  if (harmless.has(request.method)) return
  const { headers } = request
  const origin = headers.get('origin')
  if (origin !== null) {
    if (!env.origins.has(origin)) throw refused()
    return
  }
  // Programs send neither header; every browser that hides the origin still says where the call comes from.
  refuseElsewhere(headers)
}

/**
 * The same for a call that reads, yet costs its caller something: a link on another site must not make it.
 *
 * @throws ApiError 403 `origin_refused`
 */
export function refuseElsewhere(headers: Headers): void {
  if (isFromElsewhere(headers) && !bearer(headers.get('authorization'))) throw refused()
}

/** The browser says that another site, be it a neighbour under the same domain, made it send this. */
export function isFromElsewhere(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && !ownSites.has(site)
}

const refused = () =>
  new ApiError(403, 'This call must come from the site itself.', { code: 'origin_refused' })
