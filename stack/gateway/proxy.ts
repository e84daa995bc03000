import { currentRequest } from '../../supabase/functions/_shared/http/request-context.ts'
import { payloadTooLarge, serviceUnavailable } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { forwardedHeaders } from './headers.ts'
import { declaresTooLarge, watchBody } from './request-body.ts'

/** A service of the stack to which requests are forwarded. */
export interface Upstream {
  /** The URL of the service, without a path. */
  url: string
  maxBodyBytes: number
}

/**
 * Forwards a request to a service on loopback and returns its response. Both bodies are streamed.
 *
 * @param peer the address of the connected client
 * @param addHeaders adds the gateway's own headers to the response
 */
export async function proxy(
  request: Request,
  { url, maxBodyBytes }: Upstream,
  peer: string,
  addHeaders: (headers: Headers) => Headers,
  log: Log,
): Promise<Response> {
  if (declaresTooLarge(request, maxBodyBytes)) return payloadTooLarge()
  const { pathname, search } = new URL(request.url)
  const headers = forwardedHeaders(request, peer)
  headers.delete('host')
  headers.set('x-request-id', currentRequest()?.requestId ?? '')
  // `fetch` drops Content-Length if the body is a stream.
  headers.set('x-content-length', request.headers.get('content-length') ?? '')
  // On loopback, compression only costs time.
  headers.set('accept-encoding', 'identity')
  const watched = watchBody(request, maxBodyBytes)
  try {
    const response = await fetch(`${url}${pathname}${search}`, {
      method: request.method,
      headers,
      body: watched.stream(),
      redirect: 'manual',
      signal: watched.signal,
    })
    const responseHeaders = addHeaders(new Headers(response.headers))
    return new Response(response.body, { status: response.status, headers: responseHeaders })
  } catch (error) {
    const response = watched.errorResponse()
    if (response) return response
    if (!request.signal.aborted) log.warn('upstream_failed', { path: pathname, reason: errorMessage(error) })
    return serviceUnavailable()
  } finally {
    watched.responseStarted()
  }
}
