/** The name of the session cookie, which is the same on every host. */
export const sessionCookieName = 'ovation-auth'

// The session cookie as `@supabase/ssr` writes it: `base64-` followed by the session as base64url-encoded JSON, or
// URL-encoded JSON. A long value is split into chunks (`name.0`, `name.1` …).

/** Returns the encoded session in a cookie header, with its chunks joined, or null if there is none. */
export function findSessionCookie(header: string): string | null {
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=')
    if (separator > 0) cookies.set(pair.slice(0, separator).trim(), pair.slice(separator + 1).trim())
  }
  const unchunked = cookies.get(sessionCookieName)
  if (unchunked) return unchunked
  let value = ''
  for (let index = 0; ; index++) {
    const chunk = cookies.get(`${sessionCookieName}.${index}`)
    if (chunk === undefined) return value || null
    value += chunk
  }
}

/** Decodes the value of the cookie. The result is not verified. @throws Error if it is not JSON in this encoding */
export function decodeSessionCookie(value: string): unknown {
  const text = decodeURIComponent(value)
  return JSON.parse(text.startsWith('base64-') ? decodeBase64Url(text.slice('base64-'.length)) : text)
}

/** Decodes base64url-encoded UTF-8. @throws Error if the encoding is invalid */
export function decodeBase64Url(text: string): string {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}
