import type { Context } from 'hono'
import { z } from 'zod'
import { decodeSessionCookie, findSessionCookie, sessionCookieName } from '../contract/session-cookie.ts'

/** The fields of a stored session that the API uses. The cookie contains more. */
export type CookieSession = { accessToken: string; refreshToken: string | undefined }

const StoredSession = z
  .object({ access_token: z.string(), refresh_token: z.string().optional().catch(undefined) })
  .transform((session) => ({ accessToken: session.access_token, refreshToken: session.refresh_token }))

/** The maximum length of the cookie's value, all chunks together. */
const maxLength = 16_384

/**
 * A cache of parsed cookies by value, because a page sends the same cookie with every call. The oldest are evicted
 * first.
 */
const parsedCookies = new Map<string, CookieSession | null>()
const maxParsedCookies = 1000

/** Returns the session in the browser's cookie without verifying it. */
export function readSessionCookie(header: string | null): CookieSession | null {
  if (!header?.includes(sessionCookieName)) return null
  const value = findSessionCookie(header)
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
    return StoredSession.safeParse(decodeSessionCookie(value)).data ?? null
  } catch {
    return null
  }
}
