import { type ErrorCode, storageFullMessage } from '../../supabase/functions/_shared/contract/errors.ts'

/** Returns an error response in the API's format. */
export function errorResponse(
  status: number,
  code: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): Response {
  return Response.json({ message, code }, { status, headers })
}

export const badRequest = (message = 'The request is malformed'): Response =>
  errorResponse(400, 'validation_failed', message)
export const forbidden = (message = 'Forbidden'): Response => errorResponse(403, 'forbidden', message)
export const notFound = (message = 'Not found'): Response => errorResponse(404, 'not_found', message)
export const payloadTooLarge = (): Response =>
  errorResponse(413, 'payload_too_large', 'The request is too large')
export const rateLimited = (): Response =>
  errorResponse(429, 'rate_limited', 'Too many requests. Try again later.', { 'retry-after': '10' })
export const internalError = (): Response => errorResponse(500, 'internal_error', 'Internal server error')
/** Returns 408 and closes the connection, because the rest of the body must not be parsed as the next request. */
export const requestTimeout = (): Response =>
  errorResponse(408, 'request_timeout', 'The request body did not arrive in time', { connection: 'close' })
export const gatewayTimeout = (): Response => errorResponse(504, 'unavailable', 'The request took too long')
const storageFull = (): Response =>
  errorResponse(503, 'storage_full', storageFullMessage, { 'retry-after': '60' })
export const serviceUnavailable = (
  message = 'The service is not available right now. Please try again.',
): Response => errorResponse(503, 'unavailable', message, { 'retry-after': '2' })

/**
 * Matches the errors of a database that is starting or shutting down, is out of memory or connections, or is
 * unreachable. The last alternative matches a TypeError, which the driver throws if it uses a connection that has just
 * been lost.
 */
const databaseUnavailable =
  /\b(53[23]00|57P0[123])\b|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|the database system is|terminating connection|too many clients|connection slots|socket has been ended|null \(reading 'write'\)/

/**
 * Returns the response for an unexpected error, without the error's details. Values that the database rejects become
 * 400, and so do JSON and queries that are nested too deeply. A full disk and a database that is unavailable become
 * 503, and everything else 500.
 *
 * @param text the messages and codes of the error
 */
export function failureResponse(text: string): Response {
  if (
    /violates (check|not-null|foreign key) constraint|invalid input syntax|invalid byte sequence/.test(text)
  )
    return badRequest('This value is not allowed.')
  if (/stack depth limit exceeded|Maximum call stack size exceeded/.test(text))
    return badRequest('The request is nested too deeply.')
  if (/\b53100\b|\bENOSPC\b|No space left on device|os error (28|122)\b/i.test(text)) return storageFull()
  return databaseUnavailable.test(text) ? serviceUnavailable() : internalError()
}
