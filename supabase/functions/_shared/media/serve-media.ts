import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { type ByteRange, parseRangeHeader } from './byte-range.ts'
import { findReadyMedia } from './queries.ts'
import { openFile } from './storage.ts'

/**
 * Returns the headers for responses with status 200, 206 or 304. The content type is the detected one, and the
 * Content-Security-Policy makes the file harmless if it is opened as a page. `max-age` limits how long a browser can
 * show a cached file after its user has lost access to it.
 */
const mediaHeaders = (id: string, type: string) => ({
  'Content-Type': type,
  'Content-Disposition': 'inline',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, max-age=300',
  Vary: 'Cookie, Authorization',
  'Accept-Ranges': 'bytes',
  // A ready upload never changes.
  ETag: toETag(id),
})

const toETag = (id: string) => `"${id}"`

/**
 * Streams an upload, or a range of it. The upload is looked up with the caller's privileges, so the policies decide
 * whether the caller may see it.
 *
 * @throws ApiError 401 if the session has ended; 404 if the upload does not exist, is not ready or is not visible to
 *   the caller; 503
 */
export async function serveMedia(caller: Caller | null, id: string, request: Request): Promise<Response> {
  const media = await findReadyMedia(caller, id)
  if (!media) throw notFound()
  const headers = new Headers(mediaHeaders(id, media.type))
  if (matchesETag(request.headers.get('if-none-match'), id)) {
    return new Response(null, { status: 304, headers })
  }
  const range = parseRangeHeader(rangeHeader(request, id), media.bytes)
  if (range === 'unsatisfiable') return rangeNotSatisfiable(media.bytes)
  if (request.method === 'HEAD') {
    return new Response(null, { headers: withLength(headers, media.bytes, range) })
  }
  const storageRange = range ? `bytes=${range.first}-${range.last}` : null
  const file = await openFile(media.path, storageRange, request.signal)
  if (!file) throw notFound()
  // Storage may ignore the range and send the whole file, which clients accept.
  const servedRange = file.status === 206 ? range : null
  return new Response(file.body, {
    status: servedRange ? 206 : 200,
    headers: withLength(headers, media.bytes, servedRange),
  })
}

const rangeNotSatisfiable = (bytes: number) =>
  Response.json(
    { message: 'The requested range is outside the file.', code: 'validation_failed' },
    { status: 416, headers: { 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' } },
  )

function withLength(headers: Headers, bytes: number, range: ByteRange | null): Headers {
  headers.set('Content-Length', String(range ? range.last - range.first + 1 : bytes))
  if (range) headers.set('Content-Range', `bytes ${range.first}-${range.last}/${bytes}`)
  return headers
}

/**
 * Returns the `Range` header, or null if it is missing or does not apply, because the method is not GET or `If-Range`
 * does not match.
 */
function rangeHeader({ headers, method }: Request, id: string): string | null {
  const condition = headers.get('if-range')
  return method === 'GET' && (condition === null || condition === toETag(id)) ? headers.get('range') : null
}

function matchesETag(header: string | null, id: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(toETag(id))
}
