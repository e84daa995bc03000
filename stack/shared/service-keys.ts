import { errors, SignJWT } from 'jose'
import { bearerToken } from '../../supabase/functions/_shared/http/bearer-token.ts'
import { verifyWithSecrets } from '../../supabase/functions/_shared/http/token-secrets.ts'

/** A replaced secret that is still accepted for some time. */
export interface PreviousSecret {
  secret: string
  /** The time from which the secret is rejected, in Unix milliseconds. */
  until: number
}

/** The keys with which Auth, Storage, the Data API and Realtime check their callers. */
export interface ServiceKeys {
  jwtSecret: string
  publishableKey: string
  secretKey: string
  previousJwtSecrets: PreviousSecret[]
  previousPublishableKeys: PreviousSecret[]
}

/** Returns whether a key is a replaced publishable key that is still accepted, because open pages may send it. */
export function isPreviousPublishableKey(key: string, keys: ServiceKeys): boolean {
  return keys.previousPublishableKeys.some(({ secret, until }) => secret === key && until > Date.now())
}

/**
 * Replaces previous keys in a request to Auth or the Data API, because `@supabase/lite` knows only the current ones: a
 * previous publishable key becomes the current one, and a valid token signed with a previous secret is signed again,
 * with the same claims.
 */
export async function replacePreviousKeys(request: Request, keys: ServiceKeys): Promise<Request> {
  if (keys.previousJwtSecrets.length + keys.previousPublishableKeys.length === 0) return request
  const url = new URL(request.url)
  const headers = new Headers(request.headers)
  let isChanged = false

  const apiKey = headers.get('apikey') ?? url.searchParams.get('apikey') ?? ''
  if (isPreviousPublishableKey(apiKey, keys)) {
    headers.set('apikey', keys.publishableKey)
    isChanged = true
  }
  const bearer = bearerToken(headers.get('authorization'))
  const token = bearer ? await signAgain(bearer, keys) : null
  if (token) {
    headers.set('authorization', `Bearer ${token}`)
    isChanged = true
  }
  if (!isChanged) return request
  const { method, body, signal } = request
  return new Request(url, { method, headers, body, signal })
}

/**
 * Returns a token with the same claims, signed with the current secret. Returns null if the token is not signed with a
 * previous secret, or is not valid.
 */
async function signAgain(token: string, keys: ServiceKeys): Promise<string | null> {
  if (token.split('.').length !== 3) return null
  try {
    const claims = await verifyWithSecrets(token, keys.previousJwtSecrets)
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(keys.jwtSecret))
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
