import { type Session, sessionCookieName } from '@contract/auth.ts'
import type { BrowserContext } from 'playwright/test'
import type { z } from 'zod'

/** A session as the browser keeps it; nothing in it is sure where it holds none. */
export type KeptSession = Partial<z.infer<typeof Session>>

/** The longest value that the client puts into one cookie, in characters. */
const chunkSize = 3180

/** The cookies of a browser that make up its session, in their order. */
export async function sessionCookies(context: BrowserContext) {
  const parts = (await context.cookies()).filter((cookie) => cookie.name.startsWith(sessionCookieName))
  return parts.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** The session that a browser holds; empty where it holds none. */
export async function keptSession(context: BrowserContext): Promise<KeptSession> {
  const value = (await sessionCookies(context)).map((part) => part.value).join('')
  const json = Buffer.from(value.replace('base64-', ''), 'base64url').toString()
  return json ? (JSON.parse(json) as KeptSession) : {}
}

/** Has a browser hold a session at `origin`, as the client writes it after signing in. */
export async function keepSession(
  context: BrowserContext,
  session: KeptSession,
  origin: string,
): Promise<void> {
  const value = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
  await context.clearCookies({ name: new RegExp(`^${sessionCookieName}`) })
  await context.addCookies(
    Array.from({ length: Math.ceil(value.length / chunkSize) }, (_, chunk) => ({
      name: value.length > chunkSize ? `${sessionCookieName}.${chunk}` : sessionCookieName,
      value: value.slice(chunk * chunkSize, (chunk + 1) * chunkSize),
      url: origin,
      sameSite: 'Lax' as const,
      expires: Math.floor(Date.now() / 1000) + 86_400,
    })),
  )
}
