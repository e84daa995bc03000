import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { asService } from '../db/run.ts'
import { env } from '../env.ts'

/** Minutes in which a challenge must be solved and used. */
const goodFor = 10

/**
 * About a tenth of a second of work on a desktop computer and a second on an old phone. The number to find is drawn
 * here, so a challenge is never much harder than that.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 2000, from: 150, to: 450 }

/** The second key signs the answer, so that checking it costs no work here. */
const keys = () => ({
  hmacSignatureSecret: env.captcha.altchaKey,
  hmacKeySignatureSecret: `${env.captcha.altchaKey}:answer`,
})

/** A challenge as the ALTCHA widget takes it. */
export async function makeChallenge(): Promise<Record<string, unknown>> {
  const challenge = await createChallenge({
    ...keys(),
    algorithm: work.algorithm,
    cost: work.cost,
    counter: randomInt(work.to, work.from),
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + goodFor * 60,
  })
  return { ...challenge }
}

const Payload = z.object({
  challenge: z.object({
    signature: z.string().min(1).max(200),
    parameters: z.object({
      algorithm: z.literal(work.algorithm),
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

/** True for a challenge of ours that was solved in time, and only the first time it is shown. */
export async function verifyAltcha(token: string): Promise<boolean> {
  const payload = decode(token)
  if (!payload) return false
  const { challenge, solution } = payload
  const { verified } = await verifySolution({ ...keys(), challenge, solution, deriveKey })
  if (!verified) return false
  const expires = new Date(challenge.parameters.expiresAt * 1000).toISOString()
  const [row] = await asService(
    'whoever solves a captcha has no account yet, and nobody may mark others as spent',
    (tx) => tx<{ fresh: boolean }[]>`
      select private.use_captcha(${challenge.signature}::text, ${expires}::text::timestamptz) as fresh`,
  )
  return row?.fresh ?? false
}

function decode(token: string) {
  try {
    return Payload.safeParse(JSON.parse(atob(token))).data
  } catch {
    return undefined
  }
}
