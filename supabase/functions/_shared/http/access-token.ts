import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { AccessTokenScope, accessTokenPrefix } from '../contract/access-token.ts'
import { assertWithinLimit, consumeAccessTokenLimit } from '../rate-limits.ts'
import type { Caller } from './caller.ts'
import { ApiError } from './errors.ts'
import { asService } from './run-as.ts'

/** The claims that the policies read from a request with a personal access token. */
type AccessTokenClaims = {
  sub: string
  role: 'authenticated'
  aud: 'authenticated'
  /** The token's id. Auth has no session with this id, so it rejects any JWT with these claims. */
  session_id: string
  token_scopes: AccessTokenScope[]
}

type UsedToken = { id: string; userId: string; scopes: string; expiresAt: number | null; wait: number }

const tokenPattern = new RegExp(`^${accessTokenPrefix}[A-Za-z0-9_-]{43}$`)

export const isAccessToken = (token: string): boolean => token.startsWith(accessTokenPrefix)

/** Returns the hash under which a token is stored. */
export const hashAccessToken = (token: string) => createHash('sha256').update(token).digest()

/**
 * Returns the caller that a personal access token identifies. Counts the request against the token's limit, and records
 * that the token was used.
 *
 * @throws ApiError 401 for a token that is unknown, revoked or expired; 429 if the token is over its limit
 */
export async function findAccessTokenCaller(token: string): Promise<Caller> {
  const used = tokenPattern.test(token) ? await recordTokenUse(token) : undefined
  if (!used) throw new ApiError(401, 'This access token is not valid, has expired or was revoked.')
  assertWithinLimit([used])
  const claims: AccessTokenClaims = {
    sub: used.userId,
    role: 'authenticated',
    aud: 'authenticated',
    session_id: used.id,
    token_scopes: AccessTokenScope.array().parse(JSON.parse(used.scopes)),
  }
  return {
    userId: used.userId,
    sessionId: used.id,
    claims: JSON.stringify(claims),
    token,
    access: { scopes: claims.token_scopes, expiresAt: used.expiresAt },
  }
}

async function recordTokenUse(token: string): Promise<UsedToken | undefined> {
  const [used] = await asService(
    (tx) => tx<UsedToken[]>`
      select t.id, t.user_id as "userId", to_json(t.scopes)::text as scopes,
             (extract(epoch from t.expires_at) * 1000)::float8 as "expiresAt", t.wait
      from private.use_access_token(decode(${hashAccessToken(token).toString('hex')}::text, 'hex')) t`,
  )
  return used
}

/**
 * Returns the scopes in the claims of a JWT, or undefined if the JWT was not issued in exchange for a personal access
 * token.
 */
export function scopesInClaims({ token_scopes: scopes }: JWTPayload): AccessTokenScope[] | undefined {
  // A malformed claim grants nothing.
  return scopes === undefined ? undefined : (AccessTokenScope.array().safeParse(scopes).data ?? [])
}

type Area = 'open' | 'content' | 'messages' | 'sign-in'

/**
 * The parts of the API that a personal access token may call. The first matching pattern applies. A path that matches
 * none requires a sign-in. A pattern that ends in `(\/|$)` also matches all subpaths, so tokens may call a new route
 * there unless an earlier pattern excludes it.
 */
const areas: readonly [pattern: RegExp, area: Area][] = [
  [/^\/(config|health|openapi\.json)$/, 'open'],
  [/^\/auth\/token$/, 'open'],
  [/^\/auth\/user$/, 'content'],
  // A leaked token must not spend money.
  [/^\/(posts|messages)\/[^/]+\/unlock$/, 'sign-in'],
  [/^\/users\/[^/]+\/tip$/, 'sign-in'],
  // Changing the rest of the profile requires a sign-in, too, because `/profile` matches no pattern.
  [/^\/upload\/(profile|background)-image$/, 'sign-in'],
  [/^\/messages(\/|$)/, 'messages'],
  [
    /^\/(posts|comments|topics|users|discover|media|media-gallery|products|notifications|upload|upload-video|upload-voice|views|analytics|earnings|reports)(\/|$)/,
    'content',
  ],
  [/^\/user\/(saved-posts|liked-posts|blocked-users|follow-requests|subscriptions|reports)(\/|$)/, 'content'],
]

/**
 * Returns the scopes that a call with a personal access token needs, or null if it requires a sign-in.
 *
 * @param path the path below `/api`: that of a request, or a template with `{…}` for its parameters
 */
export function requiredScopes(method: string, path: string): AccessTokenScope[] | null {
  const area = areas.find(([pattern]) => pattern.test(path))?.[1] ?? 'sign-in'
  if (area === 'sign-in') return null
  if (area === 'open') return []
  const isRead = ['GET', 'HEAD'].includes(method.toUpperCase())
  return [isRead ? 'read' : 'write', ...(area === 'messages' ? (['messages'] as const) : [])]
}

/**
 * Checks that a caller with a personal access token may make a call. Does nothing for other callers.
 *
 * @param path the path, including `/api`
 * @throws ApiError 403 `insufficient_scope`; 429 if the token is over its limit
 */
export async function checkAccessToken(caller: Caller, method: string, path: string): Promise<void> {
  if (!caller.access) return
  const { scopes } = caller.access
  // A request with the token itself was already counted when the token was looked up.
  if (!isAccessToken(caller.token)) await consumeAccessTokenLimit(caller)
  const required = requiredScopes(method, path.replace(/^\/api(?=\/|$)/, ''))
  if (!required) throw insufficientScope('Access tokens cannot do this. Sign in on the site.')
  const missing = required.find((scope) => !scopes.includes(scope))
  if (missing) throw insufficientScope(`This access token lacks the scope “${missing}”.`)
}

export const insufficientScope = (message: string) =>
  new ApiError(403, message, { code: 'insufficient_scope' })
