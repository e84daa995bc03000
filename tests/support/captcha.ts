import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type Challenge, solved } from './solve.ts'
import { secrets, stack } from './stack.ts'

export { solve } from './solve.ts'

/** A fresh captcha, solved; anything will do where the stack asks for none. */
export async function captcha(): Promise<string> {
  const response = await fetch(`${stack.apiUrl}/api/auth/captcha`)
  return await solved(await response.json())
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
