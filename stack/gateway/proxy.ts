import { tooLarge, unavailable } from '../shared/answers.ts'
import type { Log } from '../shared/log.ts'
import { messageOf } from '../shared/sentence.ts'
import { announcesTooMuch, watchBody } from './body.ts'
import { inwardHeaders } from './headers.ts'

/** A service of the stack, and the largest body it takes, in bytes. */
export interface Target {
  /** Without a path. */
  url: string
  limit: number
}

/**
 * Passes a request to a service on loopback and its answer back, both as they stream.
 *
 * @param peer who is connected
 * @param dress adds the headers that go out with the answer
 */
export async function proxy(
  request: Request,
  { url, limit }: Target,
  peer: string,
  dress: (headers: Headers) => Headers,
  log: Log,
): Promise<Response> {
  if (announcesTooMuch(request, limit)) return tooLarge()
  const { pathname, search } = new URL(request.url)
  const headers = inwardHeaders(request, peer)
  headers.delete('host')
  // Unpacking and packing again would only cost time.
  headers.set('accept-encoding', 'identity')
  const watched = watchBody(request, limit)
  try {
    const answer = await fetch(`${url}${pathname}${search}`, {
      method: request.method,
      headers,
      body: watched.watch(),
      redirect: 'manual',
      signal: watched.signal,
    })
    return new Response(answer.body, { status: answer.status, headers: dress(new Headers(answer.headers)) })
  } catch (error) {
    const refusal = watched.refusal()
    if (refusal) return refusal
    if (!request.signal.aborted)
      log.warn('a service did not answer', { path: pathname, reason: messageOf(error) })
    return unavailable('The service is not available at the moment')
  } finally {
    watched.answered()
  }
}
