import { type RequestContext, trackRequest } from '../../supabase/functions/_shared/http/request-context.ts'

/** Handles a request that the gateway has forwarded. Logs it with the same request ID as the gateway. */
export const trackForwardedRequest = (
  request: Request,
  handle: (context: RequestContext) => Promise<Response>,
): Promise<Response> =>
  trackRequest(request, '/*', handle, () => undefined, request.headers.get('x-request-id'))
