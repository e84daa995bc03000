import { parseUrl } from './parse-url.ts'

/** Paths that are not valid destinations after sign-in: the sign-in pages themselves, and paths that are not pages. */
const excludedPaths =
  /^\/((api|rest|auth|storage|realtime|assets|login|register|forgot-password|reset-password)(\/|$)|index\.html$)/i

/**
 * Returns where to go after sign-in: the path in `text` if it is a page of this site. Anything else (another site,
 * `//host`, `/\host`, a scheme, control characters) is rejected, however it is encoded, to prevent open redirects.
 *
 * @param text untrusted, because it comes from a URL
 * @returns the path with query and fragment, starting with a single slash; null if there is no valid path
 */
export function safeReturnPath(text: string | null | undefined): string | null {
  if (!text || text.length > 2000 || !text.startsWith('/')) return null
  // A placeholder for this site's origin: a URL that leaves the site has a different origin.
  const base = 'http://here.invalid'
  const url = parseUrl(text, base)
  if (url?.origin !== base || excludedPaths.test(decodePath(url.pathname))) return null
  // `/..//host` is normalized to `//host`, which a browser would interpret as a URL of another site.
  if (url.pathname.startsWith('//')) return null
  return `${url.pathname}${url.search}${url.hash}`
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
