import { AsyncLocalStorage } from 'node:async_hooks'
import { type ByteRange, parseRangeHeader } from '../../supabase/functions/_shared/media/byte-range.ts'

/** A request to Storage that is in progress, and what the storage adapter records while handling it. */
interface ObjectRequest {
  rangeHeader: string | null
  isHead: boolean
  /** Set if the request asks for a range of the file, whether or not the range can be served. */
  served?: { range: ByteRange | 'unsatisfiable'; size: number }
  isTooLarge?: boolean
}

const currentRequest = new AsyncLocalStorage<ObjectRequest>()

/**
 * Adds two features of Supabase to lite's Storage: range requests, which seeking in a video requires, and a size limit
 * for uploads without a declared length. lite does not pass the request to the storage adapter, so an AsyncLocalStorage
 * does.
 *
 * @param handle calls lite
 */
export async function handleRangeRequest(
  request: Request,
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  if (!new URL(request.url).pathname.startsWith('/storage/v1/object/')) return await handle()
  const isHead = request.method === 'HEAD'
  const current: ObjectRequest = { rangeHeader: isHead ? null : request.headers.get('range'), isHead }
  const response = await currentRequest.run(current, handle)
  if (current.isTooLarge) {
    await response.body?.cancel()
    const message = 'The object exceeded the maximum allowed size'
    return Response.json({ statusCode: '413', error: 'Payload too large', message }, { status: 400 })
  }
  if (!current.served || response.status !== 200) return response
  return toPartialResponse(response, current.served)
}

async function toPartialResponse(
  response: Response,
  { range, size }: NonNullable<ObjectRequest['served']>,
): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.set('accept-ranges', 'bytes')
  if (range === 'unsatisfiable') {
    await response.body?.cancel()
    headers.delete('content-length')
    headers.set('content-range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-range', `bytes ${range.first}-${range.last}/${size}`)
  headers.set('content-length', String(range.last - range.first + 1))
  return new Response(response.body, { status: 206, headers })
}

/**
 * Returns the requested range of a file of `size` bytes: null for the whole file, and 'nothing' for HEAD, because the
 * body of its response is never read, so the file would never be closed.
 */
export function requestedRange(size: number): ByteRange | 'unsatisfiable' | 'nothing' | null {
  const current = currentRequest.getStore()
  if (current?.isHead) return 'nothing'
  const range = current ? parseRangeHeader(current.rangeHeader, size) : null
  if (current && range) current.served = { range, size }
  return range
}

/** Aborts the upload in progress because it is too large. */
export function rejectTooLarge(): never {
  const current = currentRequest.getStore()
  if (current) current.isTooLarge = true
  throw new Error('the file is too large')
}
