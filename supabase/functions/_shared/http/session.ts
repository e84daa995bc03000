import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { env } from '../env.ts'
import { sessionInCookie } from './cookie.ts'

/** Whoever makes a call with a valid token. Whether their session still lives is asked in the transaction. */
export type Caller = {
  userId: string
  sessionId: string
  /** All claims as JSON, as the policies read them. */
  claims: string
  token: string
}

/** Callers by the token whose signature was checked; refused tokens take no room. The oldest leave first. */
const remembered = new Map<string, { caller: Caller; until: number }>()
const mostRemembered = 20_000
/** Characters of a token at most: Auth's own are far shorter. */
const longestToken = 4096

/**
 * The caller behind a request, null for a visitor: no token, an invalid or expired one, or an API key in its place.
 * The answer is immediate for a token that was seen before.
 */
export function findCaller(headers: Headers): Caller | null | Promise<Caller | null> {
  const token = bearer(headers.get('authorization')) ?? sessionInCookie(headers.get('cookie'))?.accessToken
  if (!token || token.length > longestToken || token.split('.').length !== 3) return null
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
  if (!caller) return null
  remembered.delete(token)
  remembered.set(token, { caller, until: (claims.exp ?? 0) * 1000 })
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
