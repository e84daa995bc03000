import { isErrorCode } from '../contract/errors.ts'
import { DatabaseError, DatabaseUnavailableError } from '../db/errors.ts'
import { ApiError, type ErrorStatus, storageFull, unavailable } from './errors.ts'

const raisedStatuses: readonly number[] = [400, 401, 403, 404, 409, 429]
const isRaisedStatus = (status: number): status is ErrorStatus => raisedStatuses.includes(status)

/**
 * Converts a database error to the `ApiError` that the caller gets. Our own functions raise `PT<status>` with a
 * message for the user; `detail` contains the error code or, for a 429, the number of seconds to wait. PostgreSQL's own
 * errors get a generic message, because their messages can contain stored values. Any other error is returned unchanged
 * and, if nothing else handles it, becomes a 500.
 */
export function toApiError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return unavailable(error)
  if (!(error instanceof DatabaseError)) return error
  if (error.code.startsWith('PT')) return raisedError(error)
  switch (error.code) {
    case '42501':
      return new ApiError(403, "You don't have permission to do this.", { cause: error })
    case '23505':
      return new ApiError(409, 'This already exists.', { cause: error })
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
    case '53100':
      return storageFull(error)
    case '53200':
    case '40001':
    case '40P01':
    case '55P03':
    case '57014':
      return unavailable(error)
    default:
      return error
  }
}

function raisedError(error: DatabaseError): unknown {
  const status = Number(error.code.slice(2))
  if (!isRaisedStatus(status)) return error
  const retryAfter = status === 429 ? Math.max(1, Number.parseInt(error.detail ?? '', 10) || 60) : undefined
  return new ApiError(status, error.message, {
    ...(isErrorCode(error.detail) ? { code: error.detail } : {}),
    ...(retryAfter ? { retryAfter } : {}),
    cause: error,
  })
}
