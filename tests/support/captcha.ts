import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { secrets, stack } from './stack.ts'

type Challenge = Parameters<typeof solveChallenge>[0]['challenge']

/** Solves a challenge as the widget would, and packs it as the widget does. */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge could not be solved.')
  return btoa(JSON.stringify({ challenge, solution }))
}

/** A fresh captcha, solved; anything will do where the stack asks for none. */
export async function captcha(): Promise<string> {
  const response = await fetch(`${stack.apiUrl}/api/auth/captcha`)
  const { provider, challenge } = (await response.json()) as { provider: string; challenge: Challenge }
  return provider === 'altcha' ? await solve(challenge) : 'none'
}

/** A challenge signed by `key` (the stack's own when left out) that is good until `expires`. */
export function challengeUntil(expires: Date, key = secrets.altchaKey): Promise<Challenge> {
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
