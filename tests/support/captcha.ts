import { createChallenge as createAltchaChallenge, solveChallenge as solveAltchaChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { readConnection, readSecrets } from './connection.ts'

// The Playwright tests also use this file, so it must not import files that import Vitest, such as `api.ts`.

type Challenge = Parameters<typeof solveAltchaChallenge>[0]['challenge']

/** Solves a challenge and encodes the solution as the ALTCHA widget does. */
export async function solveChallenge(challenge: Challenge): Promise<string> {
  const solution = await solveAltchaChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge could not be solved.')
  return btoa(JSON.stringify({ challenge, solution }))
}

/**
 * Returns the captcha token that a form submits, given the response body of `GET /api/auth/captcha`. A stack without a
 * captcha accepts any value.
 */
export async function captchaTokenFor(response: unknown): Promise<string> {
  const { provider, challenge } = response as { provider: string; challenge: Challenge }
  return provider === 'altcha' ? await solveChallenge(challenge) : 'none'
}

/** Requests a challenge from the shared stack and solves it, which takes half a second of CPU time. */
export async function solveIssuedCaptcha(): Promise<string> {
  const response = await fetch(`${readConnection().apiUrl}/api/auth/captcha`)
  return await captchaTokenFor(await response.json())
}

/**
 * Creates a challenge that takes almost no work to solve.
 *
 * @param expires when the challenge stops being valid
 * @param key the key that signs the challenge; the shared stack's key by default
 */
export function createChallenge(expires: Date, key = readSecrets().altchaKey): Promise<Challenge> {
  return createAltchaChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 3,
    deriveKey,
    expiresAt: expires,
    hmacSignatureSecret: key,
    hmacKeySignatureSecret: `${key}:answer`,
  })
}

/**
 * Returns a valid captcha token for tests that are not about captchas. The challenge is signed with the shared stack's
 * key and is easy to solve, unlike the challenges that the stack issues.
 */
export async function createCaptchaToken(): Promise<string> {
  return await solveChallenge(await createChallenge(new Date(Date.now() + 60_000)))
}
