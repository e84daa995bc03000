import {
  decodeBase64Url,
  decodeSessionCookie,
  findSessionCookie,
  sessionCookieName,
} from '@contract/session-cookie.ts'
import { fieldsOf } from '@/lib/json'

/** The session in the cookie. Reading it does not require the Supabase client. */
export interface StoredSession {
  userId: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Can be used for only one renewal. */
  refreshToken: string
  /** The whole session as Auth returned it. */
  response: Record<string, unknown>
}

/** The last result of `storedSession`, cached because components call it whenever they are rendered. */
let parsed: { cookies: string; session: StoredSession | null } = { cookies: '', session: null }

/** Returns the session in the cookie. Only the server knows whether it is still valid. */
export function storedSession(): StoredSession | null {
  const cookies = typeof document === 'undefined' ? '' : document.cookie
  if (cookies !== parsed.cookies) parsed = { cookies, session: parseSessionCookie(cookies) }
  return parsed.session
}

/** How often to read the cookie while waiting for a change. Not all browsers have an event for that. */
const pollIntervalMs = 10

/** Waits until the session in the cookie meets the condition, or until the timeout. */
export async function waitForStoredSession(
  condition: (session: StoredSession | null) => boolean,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!condition(storedSession()) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
  }
}

/** Returns whether there is a session cookie, even an unreadable one. Without one, nobody is signed in. */
export function hasSessionCookie(): boolean {
  return document.cookie.split(';').some((pair) => pair.trim().startsWith(sessionCookieName))
}

/** Deletes the session cookie without a request. Used if the server has ended the session or is unreachable. */
export function clearSessionCookie(): void {
  for (const pair of document.cookie.split(';')) {
    const name = pair.split('=')[0]?.trim() ?? ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and absent without TLS
    if (name.startsWith(sessionCookieName)) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
}

/** Parses the session in a cookie header written by `@supabase/ssr`. Returns null if none can be read. */
export function parseSessionCookie(cookies: string): StoredSession | null {
  try {
    const value = findSessionCookie(cookies)
    if (!value) return null
    const response = fieldsOf(decodeSessionCookie(value))
    const { access_token: accessToken, refresh_token: refreshToken, expires_at: expiresAt } = response
    if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return null
    if (typeof expiresAt !== 'number' || !Number.isFinite(expiresAt)) return null
    const { sub: userId } = fieldsOf(JSON.parse(decodeBase64Url(accessToken.split('.')[1] ?? '')))
    if (typeof userId !== 'string') return null
    return { userId, expiresAt: expiresAt * 1000, refreshToken, response }
  } catch {
    return null
  }
}
