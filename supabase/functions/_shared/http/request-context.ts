import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who made a request. `admin` is a user whose call to an admin route was accepted. `service` is a caller with a secret
 * key or the job secret.
 */
export type CallerKind = 'visitor' | 'user' | 'admin' | 'service'

/** What the logs and metrics record about a request while it is handled. */
export type RequestContext = {
  /** Sent to the client as `X-Request-Id`, and included in every log line of the request. */
  readonly requestId: string
  readonly method: string
  /** The pattern of the route, such as `/api/posts/:id`, which contains nothing that the client chose. */
  route: string
  caller: CallerKind
}

export type CompletedRequest = RequestContext & {
  status: number
  /** Milliseconds until the response started. */
  ms: number
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Returns the request that the current code handles, or undefined outside of a request. */
export const currentRequest = (): RequestContext | undefined => storage.getStore()

/** The status, also used by nginx, of a request whose client disconnected before the response started. */
const clientClosedRequest = 499

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Handles a request in its own context, and adds `X-Request-Id` to the response.
 *
 * @param route the route to record unless `handle` sets a more precise one
 * @param onCompleted called when the response starts
 * @param trustedId an id to use instead of a new one, if it is a UUID
 */
export async function trackRequest(
  request: Request,
  route: string,
  handle: (context: RequestContext) => Response | Promise<Response>,
  onCompleted: (request: CompletedRequest) => void,
  trustedId?: string | null,
): Promise<Response> {
  const startedAt = performance.now()
  const context: RequestContext = {
    requestId: trustedId && idPattern.test(trustedId) ? trustedId : crypto.randomUUID(),
    // A client can send any word as the method.
    method: methods.has(request.method) ? request.method : 'OTHER',
    route,
    caller: 'visitor',
  }
  return await storage.run(context, async () => {
    const response = await handle(context)
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    // A client that has disconnected does not receive the response. The response is usually an error caused by the
    // disconnection, so it must not count as a server error.
    const isAborted = response.status !== 101 && request.signal.aborted
    const status = isAborted ? clientClosedRequest : response.status
    onCompleted({ ...context, status, ms })
    return withRequestId(response, context.requestId)
  })
}

function withRequestId(response: Response, requestId: string): Response {
  // The response to a WebSocket upgrade cannot be changed.
  if (response.status === 101) return response
  let result = response
  try {
    result.headers.set('x-request-id', requestId)
  } catch {
    // The headers of a redirect and of a `fetch` response are immutable.
    result = new Response(response.body, response)
    result.headers.set('x-request-id', requestId)
  }
  return result
}
