import type { Context } from 'hono'
import { z } from 'zod'
import { sessionCookieName } from '../contract/auth.ts'

/** The parts of a session that the API uses. The browser stores more. */
export type CookieSession = { accessToken: string; refreshToken: string | undefined }

const StoredSession = z
  .object({ access_token: z.string(), refresh_token: z.string().optional().catch(undefined) })
  .transform((session) => ({ accessToken: session.access_token, refreshToken: session.refresh_token }))

/** The maximum length of the cookie's value, all chunks together. */
const maxLength = 16_384

/** Parsed cookies by value, because a page sends the same cookie with every call. The oldest are evicted first. */
const parsedCookies = new Map<string, CookieSession | null>()
const maxParsedCookies = 1000

/**
 * Returns the session in the browser's cookie without verifying it. The value of the cookie is `base64-` followed by
 * the session as base64url-encoded JSON, or URL-encoded JSON. A long value is split into chunks (`name.0`, `name.1` …).
 */
export function readSessionCookie(header: string | null): CookieSession | null {
  if (!header?.includes(sessionCookieName)) return null
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=')
    if (separator > 0) cookies.set(pair.slice(0, separator).trim(), pair.slice(separator + 1).trim())
  }
  let value = cookies.get(sessionCookieName) ?? ''
  if (!value) {
    for (let index = 0; ; index++) {
      const chunk = cookies.get(`${sessionCookieName}.${index}`)
      if (chunk === undefined) break
      value += chunk
    }
  }
  return value && value.length <= maxLength ? parseCached(value) : null
}

/** Expires the session cookie and each of its chunks that the browser sent. */
export function clearSessionCookie(c: Context): void {
  const names = (c.req.header('cookie') ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
  const pattern = new RegExp(`^${sessionCookieName}(\\.\\d+)?$`)
  for (const name of names) {
    if (pattern.test(name))
      c.header('Set-Cookie', `${name}=; Path=/; Max-Age=0; SameSite=Lax`, { append: true })
  }
}

function parseCached(value: string): CookieSession | null {
  const cached = parsedCookies.get(value)
  if (cached !== undefined) return cached
  const session = parse(value)
  const [oldest] = parsedCookies.keys()
  if (oldest !== undefined && parsedCookies.size >= maxParsedCookies) parsedCookies.delete(oldest)
  parsedCookies.set(value, session)
  return session
}

function parse(value: string): CookieSession | null {
  try {
    const json = value.startsWith('base64-') ? fromBase64Url(value.slice(7)) : decodeURIComponent(value)
    return StoredSession.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}
