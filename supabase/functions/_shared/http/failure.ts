import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ErrorBody } from '../contract/errors.ts'
import type { ApiEnv } from './app.ts'
import { ApiError } from './errors.ts'
import { confirmSession } from './live.ts'
import { log } from './log.ts'

/**
 * Answers an error: what was thrown for the caller as it is, anything else as 500 without its internals. Every 5xx
 * is logged under an id that its answer carries too: as no error where the caller went away, and what was under way for
 * them ended with that.
 */
export async function answerError(thrown: unknown, c: Context<ApiEnv>): Promise<Response> {
  const error = await publicError(thrown, c)
  const headers: Record<string, string> = {}
  if (error.status >= 500) {
    const requestId = crypto.randomUUID()
    headers['X-Request-Id'] = requestId
    log(isOver(error, c.req.raw) ? 'debug' : 'error', 'call_failed', {
      requestId,
      method: c.req.method,
      path: c.req.routePath,
      ...describe(error),
    })
  }
  if (error.retryAfter) headers['Retry-After'] = String(error.retryAfter)
  const body: ErrorBody = {
    message: error.message,
    code: error.code,
    ...(error.errors ? { errors: error.errors } : {}),
  }
  return c.json(body, error.status, headers)
}

async function publicError(thrown: unknown, c: Context<ApiEnv>): Promise<ApiError> {
  if (thrown instanceof ApiError && thrown.status !== 413) return thrown
  if (thrown instanceof ApiError || thrown instanceof HTTPException) {
    try {
      await confirmSession(c.var.user)
    } catch (error) {
      if (error instanceof ApiError) return error
    }
    return thrown instanceof ApiError ? thrown : ofFramework(thrown)
  }
  return new ApiError(500, 'Something went wrong on our side. Please try again.', { cause: thrown })
}

const isOver = ({ cause }: ApiError, { signal }: Request) =>
  signal.aborted && cause instanceof Error && cause.name === 'AbortError'

/** The framework itself refuses bodies of another type and bodies that are not JSON. */
function ofFramework(thrown: HTTPException): ApiError {
  switch (thrown.status) {
    case 415:
      return new ApiError(415, 'The body must be JSON, sent as application/json.')
    case 413:
      return new ApiError(413, 'The body may have at most 100 kB.')
    case 400:
      return new ApiError(400, 'The body is not valid JSON.')
    default:
      return new ApiError(500, 'Something went wrong on our side. Please try again.', { cause: thrown })
  }
}

/** The kind of an error and where it arose; never its values, which may be what somebody wrote. */
function describe(error: ApiError) {
  const { cause } = error
  if (!(cause instanceof Error)) return { kind: error.code }
  const isDatabase = cause.name === 'PostgresError'
  return {
    kind: cause.name,
    code: 'code' in cause ? String(cause.code) : undefined,
    // The database repeats values in its messages; ours and the runtime's do not.
    reason: isDatabase ? undefined : cause.message,
    at: cause.stack
      ?.split('\n')
      .find((line) => line.includes('_shared/'))
      ?.trim(),
  }
}
