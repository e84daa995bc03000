import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

export type Challenge = Parameters<typeof solveChallenge>[0]['challenge']

/** Solves a challenge as the widget would, and packs it as the widget does. */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge could not be solved.')
  return btoa(JSON.stringify({ challenge, solution }))
}

/** What a form sends for the answer of `GET /api/auth/captcha`; anything will do where the stack asks for none. */
export async function solved(answer: unknown): Promise<string> {
  const { provider, challenge } = answer as { provider: string; challenge: Challenge }
  return provider === 'altcha' ? await solve(challenge) : 'none'
}

/** A challenge that is hardly any work, signed by `key` and good until `expires`. */
export function challengeUntil(expires: Date, key: string): Promise<Challenge> {
  return createChallenge({
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
 * What a form sends, for what is not about captchas: signed with the `key` of the stack, as its own are, which take half
 * a second of work each.
 */
export async function easyCaptcha(key: string): Promise<string> {
  return await solve(await challengeUntil(new Date(Date.now() + 60_000), key))
}
