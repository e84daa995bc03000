import { sessionCookieName } from '@contract/auth.ts'
import { z } from 'zod'

/** What the page may know of its session without loading the Supabase client. */
export interface StoredSession {
  userId: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** A token that ends within this time is renewed before the next call. */
const renewBefore = 20_000

const Stored = z.object({ access_token: z.string(), expires_at: z.number() })
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
    return { userId: claims.sub, expiresAt: session.expires_at * 1000 }
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

/** Renews a session that is about to end, so that a call after a night's sleep does not read as signed out. */
export async function ensureFreshSession(): Promise<void> {
  const session = storedSession()
  if (!session || session.expiresAt - Date.now() > renewBefore) return
  try {
    const { getSupabase } = await import('./supabase')
    await (await getSupabase()).auth.getSession()
  } catch {
    // The call itself will tell what is wrong.
  }
}

let renewing: Promise<boolean> | null = null

/** Asks for a new token after a refusal; answers whether there is one to try again with. */
export function renewSession(): Promise<boolean> {
  const before = storedSession()
  if (!before) return Promise.resolve(false)
  renewing ??= (async () => {
    try {
      const { getSupabase } = await import('./supabase')
      const { data } = await (await getSupabase()).auth.refreshSession()
      return data.session !== null
    } catch {
      return false
    }
  })().finally(() => {
    renewing = null
  })
  return renewing
}
