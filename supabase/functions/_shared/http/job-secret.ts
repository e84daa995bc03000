import { createMiddleware } from 'hono/factory'
import { env } from '../env.ts'
import { bearerToken } from './caller.ts'
import { unauthorized } from './errors.ts'
import { currentRequest } from './request-context.ts'

/** Rejects requests without the job secret, which only the scheduler has. */
export const requireJobSecret = createMiddleware(async (c, next) => {
  const given = bearerToken(c.req.header('authorization') ?? null)
  if (!given || !(await equalsInConstantTime(given, env.jobSecret))) throw unauthorized()
  const request = currentRequest()
  if (request) request.caller = 'service'
  await next()
})

/**
 * Returns whether two strings are equal. Compares all bytes of their digests, so that the duration reveals nothing
 * about the secret.
 */
async function equalsInConstantTime(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)])
  let difference = 0
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0)
  return difference === 0
}

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
