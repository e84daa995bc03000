/** Who a caller is: API keys and HS256 tokens, checked once and remembered. */
import { errors, jwtVerify } from 'jose'
import { isObject, type JsonObject } from './types.ts'

const ROLES = ['anon', 'authenticated', 'service_role'] as const
type Role = (typeof ROLES)[number]

/** A caller whose key or token was checked. `claims` go to the policies whole. */
export type Identity = {
  role: Role
  claims: JsonObject
  /** Seconds since 1970; null for an API key, which does not expire. */
  expiresAt: number | null
  userId: string | null
  sessionId: string | null
}

/** Why a token is refused. `code` and `message` are Supabase's words. */
export type Refusal = { code: string; message: string }

export type TokenCheck = { identity: Identity } | { refusal: Refusal }

const REMEMBERED = 2_000

const malformed: TokenCheck = {
  refusal: { code: 'MalformedJWT', message: 'The token provided is not a valid JWT' },
}

/** Checks keys and tokens of one stack. */
export class Authenticator {
  private readonly secret: Uint8Array
  private readonly seen = new Map<string, Identity>()

  constructor(
    jwtSecret: string,
    private readonly publishableKey: string,
    private readonly secretKey: string,
  ) {
    this.secret = new TextEncoder().encode(jwtSecret)
  }

  /**
   * Checks an API key or a token signed with the stack's secret. The publishable key is anon, the
   * secret key service_role; a token needs `role` and `exp`, and a role of the API.
   */
  async check(token: string): Promise<TokenCheck> {
    if (token === this.publishableKey) return { identity: keyIdentity('anon') }
    if (token === this.secretKey) return { identity: keyIdentity('service_role') }
    const known = this.seen.get(token)
    if (known) return expiryRefusal(known) ?? { identity: known }
    const result = await this.verify(token)
    if ('identity' in result) this.remember(token, result.identity)
    return result
  }

  private async verify(token: string): Promise<TokenCheck> {
    try {
      const { payload } = await jwtVerify(token, this.secret, { algorithms: ['HS256'] })
      return fromClaims(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) return expired(Number(error.payload.exp))
      if (
        error instanceof errors.JWSSignatureVerificationFailed ||
        error instanceof errors.JOSEAlgNotAllowed
      ) {
        return { refusal: { code: 'JwtSignatureError', message: 'Failed to validate JWT signature' } }
      }
      return malformed
    }
  }

  /** Remembers a signature that held; the oldest are forgotten first. */
  private remember(token: string, identity: Identity): void {
    this.seen.set(token, identity)
    if (this.seen.size <= REMEMBERED) return
    const oldest = this.seen.keys().next()
    if (!oldest.done) this.seen.delete(oldest.value)
  }
}

/** The refusal an identity has earned by now, or null while it is good. */
export function expiryRefusal(identity: Identity): { refusal: Refusal } | null {
  if (identity.expiresAt === null || identity.expiresAt * 1000 > Date.now()) return null
  return expired(identity.expiresAt)
}

function expired(expiresAt: number): { refusal: Refusal } {
  const ago = Math.max(0, Math.floor(Date.now() / 1000) - expiresAt)
  return { refusal: { code: 'InvalidJWTToken', message: `Token has expired ${ago} seconds ago` } }
}

function fromClaims(claims: unknown): TokenCheck {
  if (!isObject(claims)) return malformed
  const { role, exp, sub, session_id: sessionId } = claims
  if (typeof exp !== 'number' || typeof role !== 'string') {
    return {
      refusal: { code: 'InvalidJWTToken', message: 'Fields `role` and `exp` are required in JWT' },
    }
  }
  const apiRole = ROLES.find((known) => known === role)
  // Any other database role would be a way around the policies.
  if (!apiRole) return malformed
  return {
    identity: {
      role: apiRole,
      claims,
      expiresAt: exp,
      userId: typeof sub === 'string' ? sub : null,
      sessionId: typeof sessionId === 'string' ? sessionId : null,
    },
  }
}

function keyIdentity(role: Role): Identity {
  return { role, claims: { role }, expiresAt: null, userId: null, sessionId: null }
}
