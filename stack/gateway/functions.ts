import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { internalError, payloadTooLarge } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { forwardedHeaders } from './headers.ts'
import { declaresTooLarge, isSmallBody, watchBody } from './request-body.ts'

/** An edge function's default export. */
export interface EdgeFunction {
  fetch(request: Request): Response | Promise<Response>
}

/** The largest body that the API accepts: an upload of 100 MB plus the multipart overhead. */
const maxBodyBytes = 110 * 1024 * 1024

/** Imports an edge function of the project. */
export async function loadFunction(root: string, name: string): Promise<EdgeFunction> {
  const path = join(root, 'supabase', 'functions', name, 'index.ts')
  const module: { default?: Partial<EdgeFunction> } = await import(pathToFileURL(path).href)
  const loaded = module.default
  if (typeof loaded?.fetch !== 'function') throw new Error(`the function ${name} exports no fetch`)
  return { fetch: loaded.fetch.bind(loaded) }
}

/**
 * Calls an edge function as a hosting platform would: limits the request's size and duration, and returns 500 if the
 * function throws.
 *
 * @param peer the address of the connected client
 * @param timeoutMs how long the function may take to respond; defaults to 60 seconds
 */
export async function callFunction(
  edgeFunction: EdgeFunction,
  request: Request,
  peer: string,
  log: Log,
  timeoutMs?: number,
): Promise<Response> {
  if (declaresTooLarge(request, maxBodyBytes)) return payloadTooLarge()
  const watched = watchBody(request, maxBodyBytes, timeoutMs)
  const aborted = new Promise<never>((_, reject) => {
    watched.signal.addEventListener('abort', () => reject(watched.signal.reason))
  })
  try {
    const headers = forwardedHeaders(request, peer)
    const { signal } = watched
    const body = isSmallBody(request) ? await Promise.race([watched.readAll(), aborted]) : watched.stream()
    const forwarded = new Request(request.url, { method: request.method, headers, body, signal })
    const response = await Promise.race([edgeFunction.fetch(forwarded), aborted])
    return watched.errorResponse() ?? response
  } catch (error) {
    const response = watched.errorResponse()
    if (response) return response
    if (!request.signal.aborted) log.error('function_failed', { reason: errorMessage(error) })
    return internalError()
  } finally {
    watched.responseStarted()
  }
}
