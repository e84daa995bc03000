import type { ErrorCode } from '../contract/errors.ts'
import { errorCodes } from '../contract/errors.ts'
import { ApiError, type ErrorStatus, unavailable } from '../http/errors.ts'

type DatabaseError = { code: string; message: string; detail?: string }

/** What `postgres` and the sockets below it throw when the database cannot be reached or is going down. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  '53300',
  '57P01',
  '57P02',
  '57P03',
])

const statuses: readonly number[] = [400, 401, 403, 404, 409, 429]
const isErrorStatus = (status: number): status is ErrorStatus => statuses.includes(status)
export const isErrorCode = (text: string | undefined): text is ErrorCode =>
  errorCodes.some((code) => code === text)

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

const clashes = new Set(['40001', '40P01'])

/** The transaction waited in a circle with others, or was overtaken by one: nothing of it was done. */
export const isClash = (error: unknown): boolean => isDatabaseError(error) && clashes.has(error.code)

/**
 * Turns what the database says into what the caller may hear. Our own functions raise `PT<status>` with a text for
 * people and, in `detail`, the error code or, for 429, the seconds to wait; the rest keeps its status only.
 */
export function translate(error: unknown): unknown {
  if (error instanceof ApiError || !isDatabaseError(error)) return error
  if (unreachable.has(error.code)) return unavailable(error)
  if (error.code.startsWith('PT')) return ours(error)
  switch (error.code) {
    case '42501':
      return new ApiError(403, 'You may not do this.', { cause: error })
    case '23505':
      return new ApiError(409, 'This exists already.', { cause: error })
    case '23503':
      return new ApiError(404, 'Not found', { cause: error })
    case '22003':
    case '22007':
    case '22008':
    case '22P02':
    case '22P05':
    case '22001':
    case '22021':
    case '23502':
    case '23514':
      return new ApiError(400, 'This value is not allowed.', { cause: error })
    case '40001':
    case '40P01':
    case '57014':
      return unavailable(error)
    default:
      return error
  }
}

function ours(error: DatabaseError): unknown {
  const status = Number(error.code.slice(2))
  if (!isErrorStatus(status)) return error
  const wait = status === 429 ? Math.max(1, Number.parseInt(error.detail ?? '', 10) || 60) : undefined
  return new ApiError(status, error.message, {
    ...(isErrorCode(error.detail) ? { code: error.detail } : {}),
    ...(wait ? { retryAfter: wait } : {}),
    cause: error,
  })
}
