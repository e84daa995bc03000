import type { ErrorCode } from '../../supabase/functions/_shared/contract/errors.ts'

/** Error answers in the one shape, and with the codes, that all of the platform's have. */
export function problem(
  status: number,
  code: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): Response {
  return Response.json({ message, code }, { status, headers })
}

export const badRequest = (message = 'This request cannot be read'): Response =>
  problem(400, 'validation_failed', message)
export const forbidden = (message = 'Forbidden'): Response => problem(403, 'forbidden', message)
export const notFound = (message = 'Not found'): Response => problem(404, 'not_found', message)
export const tooLarge = (): Response => problem(413, 'payload_too_large', 'The request is too large')
export const failed = (): Response => problem(500, 'internal_error', 'Internal server error')
/** The caller stopped sending. What may still come of that body is no next request. */
export const stalled = (): Response =>
  problem(408, 'request_timeout', 'The rest of the request did not come', { connection: 'close' })
export const timedOut = (): Response => problem(504, 'unavailable', 'The request took too long')
export const unavailable = (message: string): Response =>
  problem(503, 'unavailable', message, { 'retry-after': '2' })
