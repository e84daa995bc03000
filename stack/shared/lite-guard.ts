import { badRequest, forbidden, notFound } from './error-responses.ts'
import { hasLoopbackHost } from './loopback.ts'

/**
 * Rejects requests that `@supabase/lite` would serve but should not. The gateway cannot do this, because programs and
 * web pages on this machine can reach lite's ports directly.
 *
 * @param prefixes the prefixes of the paths that the process serves; lite's other endpoints reveal its configuration
 * @returns the error response, or null if the request is allowed
 */
export function guardLite(request: Request, prefixes: string[]): Response | null {
  if (!hasLoopbackHost(request)) return forbidden()
  const { pathname, search } = new URL(request.url)
  if (!isDecodable(`${pathname}${search}`)) return badRequest()
  return prefixes.some((prefix) => pathname.startsWith(prefix)) ? null : notFound()
}

/** Returns whether the percent-encoded parts of a URL decode to text that PostgreSQL can store. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0')
  } catch {
    return false
  }
}
