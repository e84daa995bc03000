/** Addresses that nobody is returned to after signing in: the way in itself, and what is no screen. */
const noScreens =
  /^\/((api|rest|auth|storage|realtime|assets|login|register|forgot-password|reset-password)(\/|$)|index\.html$)/i

/**
 * Where somebody goes after signing in: the path that `text` names, if it is one of this site's own screens.
 * Anything else (another site, `//host`, `/\\host`, a scheme, control characters) is refused, however it is written.
 *
 * @param text what an address or a page says, which anyone may have written
 * @returns the path with its query and fragment, starting with one slash; null where there is none to go to
 */
export function safeReturnPath(text: string | null | undefined): string | null {
  if (!text || text.length > 2000 || !text.startsWith('/')) return null
  // A stand-in for this site's own address: what leads away from it has another origin.
  const home = 'http://here.invalid'
  if (!URL.canParse(text, home)) return null
  const url = new URL(text, home)
  if (url.origin !== home || noScreens.test(decoded(url.pathname))) return null
  // `/..//host` is written out as `//host`: a browser would take it for another site.
  if (url.pathname.startsWith('//')) return null
  return `${url.pathname}${url.search}${url.hash}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
