import type { Context } from 'hono'
import { z } from 'zod'
import { sessionCookieName } from '../contract/auth.ts'

/** The parts of a session that the API uses; the browser keeps more. */
export type CookieSession = { accessToken: string; refreshToken: string | undefined }

const Kept = z
  .object({ access_token: z.string(), refresh_token: z.string().optional().catch(undefined) })
  .transform((session) => ({ accessToken: session.access_token, refreshToken: session.refresh_token }))

/** Characters of a session at most, all its chunks together. */
const longest = 16_384

/** Cookies are parsed once for each value: a page sends the same one with every call. The oldest leave first. */
const parsed = new Map<string, CookieSession | null>()
const mostParsed = 1000

/**
 * The session in the browser's cookie: `base64-` and the session as base64url JSON, cut into chunks (`name.0`,
 * `name.1` …) where it is long. Nothing of it has been checked.
 */
export function sessionInCookie(header: string | null): CookieSession | null {
  if (!header?.includes(sessionCookieName)) return null
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0) cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
  }
  let value = cookies.get(sessionCookieName) ?? ''
  if (!value) {
    for (let part = 0; ; part++) {
      const chunk = cookies.get(`${sessionCookieName}.${part}`)
      if (chunk === undefined) break
      value += chunk
    }
  }
  return value && value.length <= longest ? parseOnce(value) : null
}

/** Has the browser forget the session's cookie and those it was cut into, as far as it sent them. */
export function forgetSession(c: Context): void {
  const names = (c.req.header('cookie') ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
  const part = new RegExp(`^${sessionCookieName}(\\.\\d+)?$`)
  for (const name of names) {
    if (part.test(name)) c.header('Set-Cookie', `${name}=; Path=/; Max-Age=0; SameSite=Lax`, { append: true })
  }
}

function parseOnce(value: string): CookieSession | null {
  const known = parsed.get(value)
  if (known !== undefined) return known
  const session = parse(value)
  const [oldest] = parsed.keys()
  if (oldest !== undefined && parsed.size >= mostParsed) parsed.delete(oldest)
  parsed.set(value, session)
  return session
}

function parse(value: string): CookieSession | null {
  try {
    const plain = value.startsWith('base64-') ? fromBase64Url(value.slice(7)) : decodeURIComponent(value)
    return Kept.safeParse(JSON.parse(plain)).data ?? null
  } catch {
    return null
  }
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}
