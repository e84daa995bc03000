import type { Session } from '@contract/auth.ts'
import { sessionCookieName } from '@contract/session-cookie.ts'
import type { BrowserContext } from 'playwright/test'
import type { z } from 'zod'

/** A session as the browser stores it. Every field may be missing, because the browser may have no session. */
export type StoredSession = Partial<z.infer<typeof Session>>

/** The longest value, in characters, that the auth client writes to one cookie. */
const maxCookieLength = 3180

/** Returns the cookies that contain a browser's session, in order. */
export async function getSessionCookies(context: BrowserContext) {
  const cookies = (await context.cookies()).filter((cookie) => cookie.name.startsWith(sessionCookieName))
  return cookies.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** Returns the session that a browser stores, or an empty object if it stores none. */
export async function readStoredSession(context: BrowserContext): Promise<StoredSession> {
  const value = (await getSessionCookies(context)).map((cookie) => cookie.value).join('')
  const json = Buffer.from(value.replace('base64-', ''), 'base64url').toString()
  return json ? (JSON.parse(json) as StoredSession) : {}
}

/** Stores a session in a browser for `origin`, in the cookies that the auth client writes when a user signs in. */
export async function setSessionCookies(
  context: BrowserContext,
  session: StoredSession,
  origin: string,
): Promise<void> {
  const value = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
  await context.clearCookies({ name: new RegExp(`^${sessionCookieName}`) })
  await context.addCookies(
    Array.from({ length: Math.ceil(value.length / maxCookieLength) }, (_, index) => ({
      name: value.length > maxCookieLength ? `${sessionCookieName}.${index}` : sessionCookieName,
      value: value.slice(index * maxCookieLength, (index + 1) * maxCookieLength),
      url: origin,
      sameSite: 'Lax' as const,
      expires: Math.floor(Date.now() / 1000) + 86_400,
    })),
  )
}
