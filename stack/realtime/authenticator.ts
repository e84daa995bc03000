/** Authenticates API keys and HS256 tokens. Verified tokens are cached, so that signatures are not verified again. */
import { errors } from 'jose'
import { type TokenSecret, verifyWithSecrets } from '../../supabase/functions/_shared/http/token-secrets.ts'
import { secretsEqual } from '../shared/loopback.ts'
import { isPreviousPublishableKey, type ServiceKeys } from '../shared/service-keys.ts'
import { isObject, type JsonObject } from './types.ts'

const ROLES = ['anon', 'authenticated', 'service_role'] as const
type Role = (typeof ROLES)[number]

/** An authenticated caller. Row-level security policies can read all `claims`. */
export type Identity = {
  role: Role
  claims: JsonObject
  /** Unix time in seconds; null for an API key, which does not expire. */
  expiresAt: number | null
  userId: string | null
  sessionId: string | null
}

/** Why a token is rejected. `code` and `message` are the same as Supabase's. */
type Rejection = { code: string; message: string }

export type TokenCheck = { identity: Identity } | { rejection: Rejection }

const MAX_CACHED_TOKENS = 2_000

/** The longest timer. Longer waits are split, because `setTimeout` is limited to 24.8 days. */
const MAX_TIMER_MS = 86_400_000

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
   * the secret key as `service_role`. A token must have the claims `exp` and `role`, and the role must be in `ROLES`.
   */
  async check(token: string): Promise<TokenCheck> {
    if (token === this.keys.publishableKey || isPreviousPublishableKey(token, this.keys)) {
      return { identity: keyIdentity('anon') }
    }
    if (secretsEqual(token, this.keys.secretKey)) return { identity: keyIdentity('service_role') }
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
    if (this.cache.size <= MAX_CACHED_TOKENS) return
    const oldest = this.cache.keys().next()
    if (!oldest.done) this.cache.delete(oldest.value)
  }
}

/** Calls a function when a channel's token expires. */
export class ExpiryTimer {
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param onExpired called with the message that Supabase sends */
  constructor(private readonly onExpired: (message: string) => void) {}

  /** Calls `onExpired` when `identity` expires. Stops watching any earlier identity. */
  watch(identity: Identity): void {
    this.stop()
    if (identity.expiresAt === null) return
    const remainingMs = Math.max(0, identity.expiresAt * 1000 - Date.now())
    this.timer = setTimeout(
      () => {
        const result = checkExpiry(identity)
        if (result) this.onExpired(result.rejection.message)
        else this.watch(identity)
      },
      Math.min(remainingMs, MAX_TIMER_MS),
    )
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}

/** Returns a rejection if an identity has expired, and null otherwise. */
function checkExpiry(identity: Identity): { rejection: Rejection } | null {
  if (identity.expiresAt === null || identity.expiresAt * 1000 > Date.now()) return null
  return expired(identity.expiresAt)
}

function expired(expiresAt: number): { rejection: Rejection } {
  const ago = Math.max(0, Math.floor(Date.now() / 1000) - expiresAt)
  return { rejection: { code: 'InvalidJWTToken', message: `Token has expired ${ago} seconds ago` } }
}

function fromClaims(claims: unknown): TokenCheck {
  if (!isObject(claims)) return malformed
  const { role, exp, sub, session_id: sessionId } = claims
  if (typeof exp !== 'number' || typeof role !== 'string') {
    return {
      rejection: { code: 'InvalidJWTToken', message: 'Fields `role` and `exp` are required in JWT' },
    }
  }
  const apiRole = ROLES.find((known) => known === role)
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

function keyIdentity(role: Role): Identity {
  return { role, claims: { role }, expiresAt: null, userId: null, sessionId: null }
}
