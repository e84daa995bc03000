import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { env } from '../env.ts'
import { markCaptchaUsed } from './used-captchas.ts'

/** A challenge must be solved and used within this time. */
const lifetimeMinutes = 10

/**
 * Solving a challenge takes about 0.1 s on a desktop computer and 1 s on an old phone. The counter to find is a random
 * number between `minCounter` and `maxCounter`, so no challenge takes much longer.
 */
const difficulty = { algorithm: 'PBKDF2/SHA-256', cost: 2000, minCounter: 150, maxCounter: 450 }

/**
 * Returns the secrets that sign a challenge and its solution. Because the solution is signed, the API can verify it
 * without deriving a key.
 */
const secrets = () => ({
  hmacSignatureSecret: env.captcha.altchaKey,
  hmacKeySignatureSecret: `${env.captcha.altchaKey}:answer`,
})

export async function createAltchaChallenge(): Promise<Record<string, unknown>> {
  const challenge = await createChallenge({
    ...secrets(),
    algorithm: difficulty.algorithm,
    cost: difficulty.cost,
    counter: randomInt(difficulty.maxCounter, difficulty.minCounter),
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + lifetimeMinutes * 60,
  })
  return { ...challenge }
}

const Payload = z.object({
  challenge: z.object({
    signature: z.string().min(1).max(200),
    parameters: z.object({
      algorithm: z.literal(difficulty.algorithm),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      expiresAt: z.number(),
    }),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string(), time: z.number().optional() }),
})

/**
 * Returns whether a token is a solution to one of our challenges, received in time and not used before. Marks the
 * challenge as used.
 */
export async function verifyAltcha(token: string): Promise<boolean> {
  const payload = decode(token)
  if (!payload) return false
  const { challenge, solution } = payload
  const { verified } = await verifySolution({ ...secrets(), challenge, solution, deriveKey })
  if (!verified) return false
  return await markCaptchaUsed(challenge.signature, new Date(challenge.parameters.expiresAt * 1000))
}

function decode(token: string) {
  try {
    return Payload.safeParse(JSON.parse(atob(token))).data
  } catch {
    return undefined
  }
}
