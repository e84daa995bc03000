import type { Context, Next } from 'hono'
import { cors } from 'hono/cors'
import { nextCursorHeader, totalCountHeader } from '../contract/headers.ts'
import { env } from '../env.ts'

const addCorsHeaders = cors({
  origin: (origin) => (env.origins.has(origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposeHeaders: [nextCursorHeader, totalCountHeader, 'Retry-After', 'X-Request-Id'],
  maxAge: 600,
})

/**
 * Answers preflight requests, and lets pages from the configured origins (`ALLOWED_ORIGINS`) read responses. These
 * pages must send a token: without `Access-Control-Allow-Credentials`, they cannot read responses to requests with
 * cookies.
 */
export const answerCors = (c: Context, next: Next) =>
  c.req.raw.headers.has('origin') ? addCorsHeaders(c, next) : next()
