import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ErrorBody } from '../contract/common.ts'
import { DatabaseError } from '../db/errors.ts'
import type { ApiEnv } from './app.ts'
import { ApiError, bodyTooLarge, internalError } from './errors.ts'
import { log } from './log.ts'
import { requireSession } from './run-as.ts'

/**
 * Sends the response for an error: an `ApiError` as it is, Hono's errors about the body with a message for the user,
 * and any other error as a 500 without details. If the body was rejected, a caller whose session has ended gets 401
 * instead, and a caller who fails the `requireUserAnd` check gets the error from that check, unless the body was too
 * large. Every 5xx is logged: as `debug` if an aborted request caused it, otherwise as `error`.
 */
export async function handleError(thrown: unknown, c: Context<ApiEnv>): Promise<Response> {
  const error = await toPublicError(thrown, c)
  const headers: Record<string, string> = {}
  if (error.status >= 500) {
    log(isAborted(error, c.req.raw) ? 'debug' : 'error', 'request_failed', {
      method: c.req.method,
      path: c.req.routePath,
      ...describeCause(error),
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

async function toPublicError(thrown: unknown, c: Context<ApiEnv>): Promise<ApiError> {
  if (thrown instanceof ApiError && thrown.status !== 413) return thrown
  if (thrown instanceof ApiError || thrown instanceof HTTPException) {
    // The body was rejected, possibly before any statement checked the session and the caller's access.
    try {
      await requireSession(c.var.user)
      // The check of `requireUserAnd` may read the body, so it must not run if the body is too large.
      if (thrown instanceof HTTPException) await c.var.authorize?.()
    } catch (error) {
      if (error instanceof ApiError) return error
    }
    return thrown instanceof ApiError ? thrown : fromHono(thrown)
  }
  return internalError(thrown)
}

const isAborted = ({ cause }: ApiError, { signal }: Request) =>
  signal.aborted && cause instanceof Error && cause.name === 'AbortError'

/** Converts an error thrown by Hono, which itself rejects unsupported content types and malformed JSON. */
function fromHono(thrown: HTTPException): ApiError {
  switch (thrown.status) {
    case 415:
      return new ApiError(415, 'The request body must be JSON, with the content type application/json.')
    case 413:
      return bodyTooLarge()
    case 400:
      return new ApiError(400, 'The request body is not valid JSON.')
    default:
      return internalError(thrown)
  }
}

/**
 * SQLSTATEs whose messages name nothing but tables, columns and functions: conflicts, missing privileges and objects,
 * insufficient resources, cancelled statements. PostgreSQL's other messages can contain values that users wrote.
 */
const loggedMessage = /^(40...|53...|57...|42501|42703|42883|42P01|55P03)$/

/**
 * Returns what the log records about an error: its kind, code and source location, and its message unless the message
 * may contain values from the database.
 */
function describeCause(error: ApiError) {
  const { cause } = error
  if (!(cause instanceof Error)) return { kind: error.code }
  return {
    kind: cause.name,
    code: 'code' in cause ? String(cause.code) : undefined,
    reason: cause instanceof DatabaseError && !loggedMessage.test(cause.code) ? undefined : cause.message,
    at: cause.stack
      ?.split('\n')
      .find((line) => /\/(_shared|functions)\//.test(line))
      ?.trim(),
  }
}
