import { createMiddleware } from 'hono/factory'
import { env } from '../env.ts'
import { unauthorized } from './errors.ts'
import { bearer } from './session.ts'

/** Lets the schedule pass, which knows the job secret, and nobody else. */
export const withJobSecret = createMiddleware(async (c, next) => {
  const given = bearer(c.req.header('authorization') ?? null)
  if (!given || !(await sameText(given, env.jobSecret))) throw unauthorized()
  await next()
})

/** Compares without telling by its time how much was right: digests have one length, and every byte is looked at. */
async function sameText(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)])
  let difference = 0
  for (const [at, byte] of left.entries()) difference |= byte ^ (right[at] ?? 0)
  return difference === 0
}

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
