import { asCaller } from '../db/run.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { readRange } from './range.ts'
import { openFile } from './storage.ts'

type Stored = { path: string; type: string; bytes: number }

/**
 * What every answer says. The type is the one that was found when the file was looked at; opened as a page it can do
 * nothing. A browser keeps it for itself, and only as long as what its reader may see may lag behind.
 */
const common = (id: string, type: string) => ({
  'Content-Type': type,
  'Content-Disposition': 'inline',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, max-age=300',
  Vary: 'Cookie, Authorization',
  'Accept-Ranges': 'bytes',
  // What is ready never changes.
  ETag: etagOf(id),
})

const etagOf = (id: string) => `"${id}"`

/**
 * Streams an upload, or a part of it, to somebody who may see it: its row is read with their rights.
 *
 * @throws ApiError 401 for a session that was ended, 404 for what is not there, not ready, or not theirs to see, 503
 */
export async function serveMedia(caller: Caller | null, id: string, request: Request): Promise<Response> {
  const [stored] = await asCaller(
    caller,
    (tx) => tx<Stored[]>`
      select m.path, m.content_type as type, m.bytes::float8 as bytes
      from public.media m where m.id = ${id}::text::uuid and m.state = 'ready'`,
  )
  if (!stored) throw notFound()
  const headers = new Headers(common(id, stored.type))
  if (matches(request.headers.get('if-none-match'), id)) return new Response(null, { status: 304, headers })

  const range = readRange(wantedRange(request, id), stored.bytes)
  if (range === 'beyond') return beyond(stored.bytes)
  const part = range ? `bytes=${range.first}-${range.last}` : null
  if (request.method === 'HEAD')
    return new Response(null, { headers: measured(headers, stored.bytes, range) })
  const file = await openFile(stored.path, part, request.signal)
  if (!file) throw notFound()
  // Storage may answer the whole of it: a reader copes with that.
  const given = file.status === 206 ? range : null
  return new Response(file.body, {
    status: given ? 206 : 200,
    headers: measured(headers, stored.bytes, given),
  })
}

/** An error as every other one is: JSON, and kept by nobody. */
const beyond = (bytes: number) =>
  Response.json(
    { message: 'The file has no such part.', code: 'validation_failed' },
    { status: 416, headers: { 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' } },
  )

function measured(headers: Headers, bytes: number, range: { first: number; last: number } | null): Headers {
  headers.set('Content-Length', String(range ? range.last - range.first + 1 : bytes))
  if (range) headers.set('Content-Range', `bytes ${range.first}-${range.last}/${bytes}`)
  return headers
}

/** A part is asked for only of the file that the reader has seen before. */
function wantedRange({ headers, method }: Request, id: string): string | null {
  const condition = headers.get('if-range')
  return method === 'GET' && (condition === null || condition === etagOf(id)) ? headers.get('range') : null
}

function matches(header: string | null, id: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(etagOf(id))
}
