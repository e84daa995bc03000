/** Authenticates API keys and HS256 tokens. Verified tokens are cached, so that signatures are not verified again. */
import { errors, type JWTPayload } from 'jose'
import { equalsInConstantTime } from '../../supabase/functions/_shared/http/constant-time.ts'
import { type TokenSecret, verifyWithSecrets } from '../../supabase/functions/_shared/http/token-secrets.ts'
import { isPreviousPublishableKey, type ServiceKeys } from './service-keys.ts'

/** The database roles that callers can have. */
export const apiRoles = ['anon', 'authenticated', 'service_role'] as const
export type ApiRole = (typeof apiRoles)[number]

/** An authenticated caller. Row-level security policies can read all `claims`. */
export type Identity = {
  role: ApiRole
  claims: JWTPayload
  /** Unix time in seconds; null for an API key, which does not expire. */
  expiresAt: number | null
  userId: string | null
  sessionId: string | null
}

/** Why a token is rejected. `code` and `message` are the same as Supabase's. */
type Rejection = { code: string; message: string }

export type TokenCheck = { identity: Identity } | { rejection: Rejection }

const maxCachedTokens = 2_000

const malformed: TokenCheck = {
  rejection: { code: 'MalformedJWT', message: 'The token provided is not a valid JWT' },
}

/** Checks the keys and tokens of one stack. */
export class Authenticator {
  private readonly secrets: TokenSecret[]
  private readonly cache = new Map<string, Identity>()

  constructor(private readonly keys: ServiceKeys) {
    this.secrets = [{ secret: keys.jwtSecret }, ...keys.previousJwtSecrets]
  }

  /**
   * Checks an API key, or a token signed with the stack's secret or a previous one. The publishable key acts as `anon`,
   * the secret key as `service_role`. A token must have the claims `exp` and `role`, and the role must be one of
   * `apiRoles`.
   */
  async check(token: string): Promise<TokenCheck> {
    if (token === this.keys.publishableKey || isPreviousPublishableKey(token, this.keys)) {
      return { identity: keyIdentity('anon') }
    }
    if (equalsInConstantTime(token, this.keys.secretKey)) return { identity: keyIdentity('service_role') }
    const cached = this.cache.get(token)
    if (cached) return checkExpiry(cached) ?? { identity: cached }
    const result = await this.verify(token)
    if ('identity' in result) this.addToCache(token, result.identity)
    return result
  }

  private async verify(token: string): Promise<TokenCheck> {
    try {
      return fromClaims(await verifyWithSecrets(token, this.secrets))
    } catch (error) {
      if (error instanceof errors.JWTExpired) return expired(Number(error.payload.exp))
      if (
        error instanceof errors.JWSSignatureVerificationFailed ||
        error instanceof errors.JOSEAlgNotAllowed
      ) {
        return { rejection: { code: 'JwtSignatureError', message: 'Failed to validate JWT signature' } }
      }
      return malformed
    }
  }

  /** Caches a verified token; evicts the oldest one when the cache is full. */
  private addToCache(token: string, identity: Identity): void {
    this.cache.set(token, identity)
    if (this.cache.size <= maxCachedTokens) return
    const oldest = this.cache.keys().next()
    if (!oldest.done) this.cache.delete(oldest.value)
  }
}

/** Returns a rejection if an identity has expired, and null otherwise. */
export function checkExpiry(identity: Identity): { rejection: Rejection } | null {
  if (identity.expiresAt === null || identity.expiresAt * 1000 > Date.now()) return null
  return expired(identity.expiresAt)
}

function expired(expiresAt: number): { rejection: Rejection } {
  const ago = Math.max(0, Math.floor(Date.now() / 1000) - expiresAt)
  return { rejection: { code: 'InvalidJWTToken', message: `Token has expired ${ago} seconds ago` } }
}

function fromClaims(claims: JWTPayload): TokenCheck {
  const { role, exp, sub, session_id: sessionId } = claims
  if (typeof exp !== 'number' || typeof role !== 'string') {
    return {
      rejection: { code: 'InvalidJWTToken', message: 'Fields `role` and `exp` are required in JWT' },
    }
  }
  const apiRole = apiRoles.find((known) => known === role)
  // Any other database role could bypass the policies.
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

function keyIdentity(role: ApiRole): Identity {
  return { role, claims: { role }, expiresAt: null, userId: null, sessionId: null }
}
