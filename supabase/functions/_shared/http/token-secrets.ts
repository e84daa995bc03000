import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'

/*
 * This module does not import `env.ts`, because the services of the embedded stack use it too.
 */

/** A secret that tokens are signed with. */
export type TokenSecret = {
  secret: string
  /** The time in Unix milliseconds from which the secret is rejected. Only a previous secret has one. */
  until?: number
}

/**
 * Verifies an HS256 token with the secret that it was signed with.
 *
 * @returns its claims; `exp` is at most the secret's `until`, so that no token outlives the secret that signed it
 * @throws JOSEError if no secret matches or the token is invalid or expired
 */
export async function verifyWithSecrets(
  token: string,
  secrets: readonly TokenSecret[],
  options: JWTVerifyOptions = {},
): Promise<JWTPayload> {
  for (const { secret, until } of secrets) {
    if (until !== undefined && until <= Date.now()) continue
    try {
      const key = new TextEncoder().encode(secret)
      const { payload } = await jwtVerify(token, key, { ...options, algorithms: ['HS256'] })
      if (until === undefined) return payload
      return { ...payload, exp: Math.min(payload.exp ?? Number.POSITIVE_INFINITY, Math.floor(until / 1000)) }
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
