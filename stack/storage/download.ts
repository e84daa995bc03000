import { type ByteRange, parseRangeHeader } from '../../supabase/functions/_shared/media/byte-range.ts'
import { noSuchKey } from './errors.ts'
import { type FileHeader, type FileStorage, headerBytes } from './file-storage.ts'

/**
 * Responds with an object's file, or a range of it. Handles `If-None-Match`, `If-Modified-Since` and `If-Range` (RFC
 * 9110, section 13).
 *
 * @throws StorageError 404 if the file does not exist
 */
export async function sendFile(
  files: FileStorage,
  request: Request,
  bucket: string,
  name: string,
): Promise<Response> {
  const stored = await files.open(bucket, name)
  if (!stored) throw noSuchKey()
  const { file, header, modified } = stored
  let isSending = false
  try {
    const headers = fileHeaders(header, modified, new URL(request.url).searchParams.get('download'))
    if (isNotModified(request.headers, header.eTag, modified)) {
      headers.delete('content-length')
      return new Response(null, { status: 304, headers })
    }
    if (request.method === 'HEAD') return new Response(null, { headers })
    const range = requestedRange(request.headers, header, modified)
    if (range === 'unsatisfiable') {
      headers.delete('content-length')
      headers.set('content-range', `bytes */${header.size}`)
      return new Response(null, { status: 416, headers })
    }
    if (range) {
      headers.set('content-range', `bytes ${range.first}-${range.last}/${header.size}`)
      headers.set('content-length', String(range.last - range.first + 1))
    }
    const body = range ? await readRange(file, range) : file.readable
    isSending = true
    return new Response(body, { status: range ? 206 : 200, headers })
  } finally {
    // A file that is being sent is closed when its stream ends or is cancelled.
    if (!isSending) file.close()
  }
}

function fileHeaders(header: FileHeader, modified: Date, download: string | null): Headers {
  const headers = new Headers({
    'content-type': header.contentType,
    'content-length': String(header.size),
    'cache-control': header.cacheControl,
    etag: header.eTag,
    'last-modified': modified.toUTCString(),
    'accept-ranges': 'bytes',
    'x-robots-tag': 'none',
  })
  if (download === '') headers.set('content-disposition', 'attachment;')
  else if (download !== null) {
    const name = encodeURIComponent(download)
    headers.set('content-disposition', `attachment; filename=${name}; filename*=UTF-8''${name}`)
  }
  return headers
}

function isNotModified(headers: Headers, eTag: string, modified: Date): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) {
    return tags.split(',').some((tag) => ['*', eTag].includes(tag.trim().replace(/^W\//, '')))
  }
  const since = Date.parse(headers.get('if-modified-since') ?? '')
  return Math.floor(modified.getTime() / 1000) * 1000 <= since
}

function requestedRange(
  headers: Headers,
  { eTag, size }: FileHeader,
  modified: Date,
): ByteRange | 'unsatisfiable' | null {
  const condition = headers.get('if-range')
  if (condition !== null && condition !== eTag && condition !== modified.toUTCString()) return null
  return parseRangeHeader(headers.get('range'), size)
}

async function readRange(
  file: Deno.FsFile,
  { first, last }: ByteRange,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  await file.seek(headerBytes + first, Deno.SeekMode.Start)
  let remaining = last - first + 1
  const limited = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, target) {
      target.enqueue(chunk.subarray(0, remaining))
      remaining -= chunk.length
      if (remaining <= 0) target.terminate()
    },
  })
  return file.readable.pipeThrough(limited)
}
