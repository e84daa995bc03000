import { sessionCookieName } from '@contract/auth.ts'
import { z } from 'zod'

/** What the page may know of its session without loading the Supabase client. */
export interface StoredSession {
  userId: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Good for one renewal. */
  refreshToken: string
  /** The whole session as Auth answered it. */
  answer: Record<string, unknown>
}

const Stored = z.looseObject({ access_token: z.string(), refresh_token: z.string(), expires_at: z.number() })
const Claims = z.object({ sub: z.string() })

function decodeBase64Url(text: string): string {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}

/** Puts the chunks of the session's cookie together; null when there is none. */
function cookieValue(cookies: string): string | null {
  const all = new Map<string, string>()
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    // Only our own are decoded: another's may be malformed.
    if (name.startsWith(sessionCookieName)) all.set(name, decodeURIComponent(pair.slice(at + 1).trim()))
  }
  const whole = all.get(sessionCookieName)
  if (whole) return whole
  let value = ''
  for (let chunk = 0; ; chunk += 1) {
    const part = all.get(`${sessionCookieName}.${chunk}`)
    if (part === undefined) return value || null
    value += part
  }
}

/** Reads the session out of a cookie header as `@supabase/ssr` writes it; null where there is none to read. */
export function parseSessionCookie(cookies: string): StoredSession | null {
  try {
    const value = cookieValue(cookies)
    if (!value) return null
    const json = value.startsWith('base64-') ? decodeBase64Url(value.slice('base64-'.length)) : value
    const session = Stored.parse(JSON.parse(json))
    const claims = Claims.parse(JSON.parse(decodeBase64Url(session.access_token.split('.')[1] ?? '')))
    return {
      userId: claims.sub,
      expiresAt: session.expires_at * 1000,
      refreshToken: session.refresh_token,
      answer: session,
    }
  } catch {
    return null
  }
}

/** The session this browser holds now. It may have been ended elsewhere: only the server knows. */
export function storedSession(): StoredSession | null {
  return typeof document === 'undefined' ? null : parseSessionCookie(document.cookie)
}

/** The browser holds a cookie that may be a session, readable or not; without one there is nobody to ask about. */
export function hasSessionCookie(): boolean {
  return document.cookie.split(';').some((pair) => pair.trim().startsWith(sessionCookieName))
}

/** Forgets the session without asking the server, which has ended it or cannot be reached. */
export function clearSessionCookie(): void {
  for (const pair of document.cookie.split(';')) {
    const name = pair.split('=')[0]?.trim() ?? ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and absent without TLS
    if (name.startsWith(sessionCookieName)) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
}
