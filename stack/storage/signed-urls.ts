import { SignJWT } from 'jose'
import type { ServiceKeys } from '../shared/service-keys.ts'
import { verifyToken } from './caller.ts'
import { invalidSignature, StorageError } from './errors.ts'

type Scope = 'download' | 'upload'

/** The claims of a signed URL's token. */
interface SignedClaims {
  /** The bucket and name of the object. */
  url: string
  scope: Scope
  /** The user who requested an upload URL. */
  owner?: string
  /** Whether the upload may replace an object. */
  upsert?: boolean
}

/** How long a signed upload URL is valid, in seconds. */
export const uploadUrlLifetime = 7200

/**
 * Signs a URL with the project's JWT secret, using the same claims as Supabase. The claims contain neither `role` nor
 * `sub`, so the token is useless as a bearer token.
 */
export async function signUrl(keys: ServiceKeys, claims: SignedClaims, expiresIn: number): Promise<string> {
  return await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
    .sign(new TextEncoder().encode(keys.jwtSecret))
}

/** Returns the claims of a signed URL. @throws StorageError 400 if the token does not allow this access */
export async function verifySignedUrl(
  keys: ServiceKeys,
  token: string | null,
  scope: Scope,
  bucket: string,
  name: string,
): Promise<{ owner: string | null; upsert: boolean }> {
  if (!token) throw invalidSignature('Missing token')
  const claims = await verifyToken(token, keys)
  if (!claims) throw new StorageError(400, 'InvalidJWT', 'The signed URL is invalid or has expired')
  if (claims.scope !== scope || claims.url !== `${bucket}/${name}`) throw invalidSignature()
  return {
    owner: typeof claims.owner === 'string' ? claims.owner : null,
    upsert: claims.upsert === true,
  }
}
