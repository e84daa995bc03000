import { type ErrorCode, storageFullMessage } from '../contract/errors.ts'

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 502 | 503

const codeOfStatus: Record<ErrorStatus, ErrorCode> = {
  400: 'validation_failed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'internal_error',
  503: 'unavailable',
}

type ApiErrorOptions = {
  code?: ErrorCode
  errors?: Record<string, string[]>
  /** Seconds until the call may be repeated. */
  retryAfter?: number
  cause?: unknown
}

/** An error whose status, message and code are sent to the caller. */
export class ApiError extends Error {
  readonly status: ErrorStatus
  readonly code: ErrorCode
  readonly errors: Record<string, string[]> | undefined
  readonly retryAfter: number | undefined

  constructor(status: ErrorStatus, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = options.code ?? codeOfStatus[status]
    this.errors = options.errors
    this.retryAfter = options.retryAfter
  }
}

export const unauthorized = () => new ApiError(401, 'Unauthorized')
export const notFound = (message = 'Not found') => new ApiError(404, message)
export const bodyTooLarge = () => new ApiError(413, 'The request body is too large. The limit is 100 kB.')
export const unavailable = (cause?: unknown) =>
  new ApiError(503, 'The service is not available right now. Please try again.', { retryAfter: 2, cause })
export const storageFull = (cause?: unknown) =>
  new ApiError(503, storageFullMessage, { code: 'storage_full', retryAfter: 60, cause })
export const internalError = (cause: unknown) =>
  new ApiError(500, 'Something went wrong on our side. Please try again.', { cause })

/** Returns the error for one invalid field: 409 if the value is taken, otherwise 400. */
export const invalidField = (field: string, message: string, code: ErrorCode = 'validation_failed') =>
  new ApiError(code.endsWith('_taken') ? 409 : 400, message, { code, errors: { [field]: [message] } })

/** Returns the only row of a query that should always have one. @throws ApiError 503 if there is none */
export function requireRow<T>([row]: readonly T[]): T {
  if (!row) throw unavailable()
  return row
}
