/** Error answers in the one shape that all of the platform's have. */
export function problem(status: number, code: string, message: string, headers?: HeadersInit): Response {
  return Response.json({ message, code }, { status, headers })
}

export const notFound = (): Response => problem(404, 'not_found', 'Not found')
export const tooLarge = (): Response => problem(413, 'payload_too_large', 'The request is too large')
export const timedOut = (): Response => problem(504, 'timeout', 'The request took too long')
export const unavailable = (message: string): Response =>
  problem(503, 'unavailable', message, { 'retry-after': '2' })
