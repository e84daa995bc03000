import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { AccessTokenScope } from '../contract/access-token.ts'
import { env } from '../env.ts'
import { findAccessTokenCaller, isAccessToken, scopesInClaims } from './access-token.ts'
import { bearerToken } from './bearer-token.ts'
import { readSessionCookie } from './session-cookie.ts'
import { verifyWithSecrets } from './token-secrets.ts'

/**
 * A user who calls the API with a valid token. Each database transaction checks whether the user's session is still
 * active.
 */
export type Caller = {
  userId: string
  sessionId: string
  /** All claims as JSON, in the form that the RLS policies read. */
  claims: string
  token: string
  /**
   * Set if the caller uses a personal access token, or a JWT that was issued in exchange for one. `sessionId` is then
   * the id of the access token. `expiresAt` is when `token` expires, in Unix milliseconds; null if it does not expire.
   */
  access?: { scopes: readonly AccessTokenScope[]; expiresAt: number | null }
}

/**
 * A cache of callers by token, so that a signature is not verified again on every request. Only valid tokens are
 * cached; the oldest are evicted first.
 */
const callersByToken = new Map<string, { caller: Caller; expiresAt: number }>()
const maxCachedTokens = 20_000
/** The maximum length of a token. Tokens from Auth are far shorter. */
const maxTokenLength = 4096

/**
 * Returns the caller of a request. Returns null for a visitor, that is, if the request has no token, an invalid or
 * expired token, or an API key in place of a token. For a cached token, the result is not a promise. A personal access
 * token is never cached, because each request made with it is counted.
 *
 * @throws ApiError 401 for an invalid personal access token, so that a program is not silently treated as a visitor;
 *   429 if the token is over its limit
 */
export function findCaller(headers: Headers): Caller | null | Promise<Caller | null> {
  const token =
    bearerToken(headers.get('authorization')) ?? readSessionCookie(headers.get('cookie'))?.accessToken
  if (token && isAccessToken(token)) return findAccessTokenCaller(token)
  if (!token || token.length > maxTokenLength || token.split('.').length !== 3) return null
  const cached = callersByToken.get(token)
  if (cached && cached.expiresAt > Date.now()) return cached.caller
  return verifyToken(token)
}

const keys = env.jwks ? createLocalJWKSet(env.jwks) : null

/** Returns the caller that a token identifies, or null if it is not a valid user token. */
export async function verifyToken(token: string): Promise<Caller | null> {
  const claims = await verifySignature(token)
  const caller = claims && toCaller(claims, token)
  if (!caller) return null
  callersByToken.delete(token)
  callersByToken.set(token, { caller, expiresAt: (claims.exp ?? 0) * 1000 })
  for (const oldest of callersByToken.keys()) {
    if (callersByToken.size <= maxCachedTokens) break
    callersByToken.delete(oldest)
  }
  return caller
}

async function verifySignature(token: string): Promise<JWTPayload | null> {
  const options = { requiredClaims: ['exp', 'sub'] }
  try {
    if (keys) return (await jwtVerify(token, keys, options)).payload
  } catch {
    // A project that switched from a shared secret to keys may still have tokens signed with the secret.
  }
  try {
    return await verifyWithSecrets(token, env.jwtSecrets, options)
  } catch {
    return null
  }
}

function toCaller(claims: JWTPayload, token: string): Caller | null {
  const { sub, role, session_id: sessionId } = claims
  // Only user tokens are accepted. A token with the service role is for the Data API, never for this API.
  if (role !== 'authenticated' || typeof sub !== 'string' || typeof sessionId !== 'string') return null
  const scopes = scopesInClaims(claims)
  const access = scopes && { access: { scopes, expiresAt: (claims.exp ?? 0) * 1000 } }
  return { userId: sub, sessionId, claims: JSON.stringify(claims), token, ...access }
}
