import { errors, type JWTPayload } from 'jose'
import { bearerToken } from '../../supabase/functions/_shared/http/bearer-token.ts'
import { equalsInConstantTime } from '../../supabase/functions/_shared/http/constant-time.ts'
import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'
import { verifyWithSecrets } from '../../supabase/functions/_shared/http/token-secrets.ts'
import { type ApiRole, apiRoles } from '../shared/authenticator.ts'
import { clientAddress } from '../shared/forwarded-request.ts'
import { isPreviousPublishableKey, type ServiceKeys } from '../shared/service-keys.ts'
import { isUuid } from '../shared/uuid.ts'
import { StorageError } from './errors.ts'

/** The caller of a Storage request. */
export interface Caller {
  role: ApiRole
  /** The JWT claims that policies see, or null if the request has neither a valid key nor a valid token. */
  claims: JWTPayload | null
  /** The user's ID, or null for the service role and visitors. */
  userId: string | null
  /** The client's network. The upload limit for visitors applies per network. */
  network: string
}

/**
 * Returns the caller that the keys and tokens of a request identify.
 *
 * @param trustProxy how many trusted proxies are in front of the gateway
 * @param allowsInvalidToken whether an invalid token is treated like a missing one, so that public files stay readable
 *   after a session has expired
 * @throws StorageError if the token is invalid, or if a browser sends the secret key
 */
export async function identifyCaller(
  request: Request,
  keys: ServiceKeys,
  trustProxy: number,
  allowsInvalidToken: boolean,
): Promise<Caller> {
  // The gateway counts as a trusted proxy, too, because it appends its client's address to X-Forwarded-For.
  const network = networkPrefix(clientAddress(request, '127.0.0.1', trustProxy + 1))
  const toCaller = (role: ApiRole, claims: JWTPayload | null): Caller => {
    const { sub } = claims ?? {}
    const userId = role === 'authenticated' && typeof sub === 'string' && isUuid(sub) ? sub : null
    return { role, claims, userId, network }
  }
  const key = request.headers.get('apikey') ?? new URL(request.url).searchParams.get('apikey') ?? ''
  const bearer = bearerToken(request.headers.get('authorization')) ?? ''
  if (bearer !== '' && bearer !== key && !bearer.startsWith('sb_')) {
    const claims = await verifyToken(bearer, keys)
    const role = apiRoles.find((each) => each === claims?.role)
    if (claims && role) return toCaller(role, claims)
    if (!allowsInvalidToken) throw new StorageError(403, 'InvalidJWT', 'Invalid JWT', 'Unauthorized')
    return toCaller('anon', null)
  }
  if (equalsInConstantTime(key, keys.secretKey)) {
    if (/^\s*Mozilla\s*\/\s*5\s*\.\s*0/i.test(request.headers.get('user-agent') ?? '')) {
      const message = 'Forbidden use of secret API key in browser'
      throw new StorageError(401, 'AccessDenied', message, 'Unauthorized', 401)
    }
    return toCaller('service_role', { role: 'service_role' })
  }
  const isPublishable = key === keys.publishableKey || isPreviousPublishableKey(key, keys)
  return toCaller('anon', isPublishable ? { role: 'anon' } : null)
}

/**
 * Returns the claims of a token that this project signed, or null if it is invalid or expired, or was issued for a
 * personal access token, which does not allow access to Storage.
 */
export async function verifyToken(token: string, keys: ServiceKeys): Promise<JWTPayload | null> {
  try {
    const claims = await verifyWithSecrets(token, [{ secret: keys.jwtSecret }, ...keys.previousJwtSecrets])
    return 'token_scopes' in claims ? null : claims
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
