import { createMiddleware } from 'hono/factory'
import { env } from '../env.ts'
import { bearerToken } from './bearer-token.ts'
import { equalsInConstantTime } from './constant-time.ts'
import { unauthorized } from './errors.ts'
import { currentRequest } from './request-context.ts'

/** Rejects requests without the job secret, which the scheduler sends. */
export const requireJobSecret = createMiddleware(async (c, next) => {
  const given = bearerToken(c.req.header('authorization') ?? null)
  if (!given || !equalsInConstantTime(given, env.jobSecret)) throw unauthorized()
  const request = currentRequest()
  if (request) request.caller = 'service'
  await next()
})
