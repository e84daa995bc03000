import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { sessionCookieName } from '../contract/auth.ts'
import { env } from '../env.ts'

/** Whoever makes a call with a valid token. Whether their session still lives is asked in the transaction. */
export type Caller = {
  userId: string
  sessionId: string
  /** All claims as JSON, as the policies read them. */
  claims: string
  token: string
}

type Remembered = { caller: Caller | null; until: number }

/** Signatures that were checked, by token. The oldest leave first. */
const remembered = new Map<string, Remembered>()
const mostRemembered = 20_000

/**
 * The caller behind a request, null for a visitor: no token, an invalid or expired one, or an API key in its place.
 * The answer is immediate for a token that was seen before.
 */
export function findCaller(headers: Headers): Caller | null | Promise<Caller | null> {
  const token = bearer(headers.get('authorization')) ?? cookieToken(headers.get('cookie'))
  if (token === null || token.split('.').length !== 3) return null
  const known = remembered.get(token)
  if (known && known.until > Date.now()) return known.caller
  return verify(token)
}

/** The text behind `Bearer `, null without one. */
export function bearer(authorization: string | null): string | null {
  const match = authorization && /^Bearer +(\S+)$/i.exec(authorization)
  return match?.[1] ?? null
}

const keys = env.jwks ? createLocalJWKSet(env.jwks) : null
const secret = env.jwtSecret ? new TextEncoder().encode(env.jwtSecret) : null

/** The caller of a token, null when its signature, time or role is not right. */
export async function verify(token: string): Promise<Caller | null> {
  const claims = await checkSignature(token)
  const caller = claims && toCaller(claims, token)
  // A refused token is refused again for a minute, so that sending it often costs nothing.
  const until = caller ? (claims?.exp ?? 0) * 1000 : Date.now() + 60_000
  remembered.delete(token)
  remembered.set(token, { caller, until })
  for (const oldest of remembered.keys()) {
    if (remembered.size <= mostRemembered) break
    remembered.delete(oldest)
  }
  return caller
}

async function checkSignature(token: string): Promise<JWTPayload | null> {
  const options = { requiredClaims: ['exp', 'sub'] }
  try {
    if (keys) return (await jwtVerify(token, keys, options)).payload
  } catch {
    // A project that moved from a shared secret to keys still has sessions signed with the secret.
  }
  try {
    if (secret) return (await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })).payload
  } catch {
    return null
  }
  return null
}

function toCaller(claims: JWTPayload, token: string): Caller | null {
  const { sub, role, session_id: sessionId } = claims
  // Only people's own tokens: a token of the service role is for the Data API, never for this one.
  if (role !== 'authenticated' || typeof sub !== 'string' || typeof sessionId !== 'string') return null
  return { userId: sub, sessionId, claims: JSON.stringify(claims), token }
}

/**
 * The access token in the browser's session cookie: `base64-` and the session as base64url JSON, cut into chunks
 * (`name.0`, `name.1` …) where it is long.
 */
function cookieToken(header: string | null): string | null {
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
  return value ? tokenInside(value) : null
}

/** Cookies are parsed once for each value: a page sends the same one with every call. */
const cookieTokens = new Map<string, string | null>()

function tokenInside(value: string): string | null {
  const known = cookieTokens.get(value)
  if (known !== undefined) return known
  const token = parseCookie(value)
  if (cookieTokens.size >= 5000) cookieTokens.clear()
  cookieTokens.set(value, token)
  return token
}

function parseCookie(value: string): string | null {
  try {
    const plain = value.startsWith('base64-') ? fromBase64Url(value.slice(7)) : decodeURIComponent(value)
    const session: unknown = JSON.parse(plain)
    if (typeof session !== 'object' || session === null || !('access_token' in session)) return null
    return typeof session.access_token === 'string' ? session.access_token : null
  } catch {
    return null
  }
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}
