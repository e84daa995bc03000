import { AsyncLocalStorage } from 'node:async_hooks'
import { type Range, readRange } from '../../supabase/functions/_shared/media/range.ts'

/** What one request to Storage asks for beyond what lite knows of, and what came of it. */
interface Wish {
  range: string | null
  isHead: boolean
  /** Set by whoever opens the file. */
  given?: { range: Range | 'beyond'; size: number }
  tooLarge?: boolean
}

const wishes = new AsyncLocalStorage<Wish>()

/**
 * lite hands out whole files only, and does not count what comes in without a length. Real Storage does both, and
 * videos could not be seeked without the first: this carries what a request asks for past lite to the files.
 *
 * @param answer what lite makes of the request
 */
export async function withRanges(
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (!new URL(request.url).pathname.startsWith('/storage/v1/object/')) return await answer()
  const isHead = request.method === 'HEAD'
  const wish: Wish = { range: isHead ? null : request.headers.get('range'), isHead }
  const given = await wishes.run(wish, answer)
  if (wish.tooLarge) {
    await given.body?.cancel()
    const message = 'The object exceeded the maximum allowed size'
    return Response.json({ statusCode: '413', error: 'Payload too large', message }, { status: 400 })
  }
  if (!wish.given || given.status !== 200) return given
  return inPart(given, wish.given)
}

async function inPart(whole: Response, { range, size }: NonNullable<Wish['given']>): Promise<Response> {
  const headers = new Headers(whole.headers)
  headers.set('accept-ranges', 'bytes')
  if (range === 'beyond') {
    await whole.body?.cancel()
    headers.delete('content-length')
    headers.set('content-range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-range', `bytes ${range.first}-${range.last}/${size}`)
  headers.set('content-length', String(range.last - range.first + 1))
  return new Response(whole.body, { status: 206, headers })
}

/**
 * The part of a file of `size` bytes that the request in progress asks for: null for the whole of it, 'nothing' for what
 * is said of it alone (nobody would read the file then, nor close it).
 */
export function takeRange(size: number): Range | 'beyond' | 'nothing' | null {
  const wish = wishes.getStore()
  if (wish?.isHead) return 'nothing'
  const range = wish ? readRange(wish.range, size) : null
  if (wish && range) wish.given = { range, size }
  return range
}

/** Notes for the answer that what comes in is too large, and ends it. */
export function refuseSize(): never {
  const wish = wishes.getStore()
  if (wish) wish.tooLarge = true
  throw new Error('the file is too large')
}
