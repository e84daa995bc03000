import { type RequestContext, trackRequest } from '../../supabase/functions/_shared/http/request-context.ts'

/** Handles a request that the gateway has forwarded, under the gateway's id, so that both log lines have the same id. */
export const trackForwardedRequest = (
  request: Request,
  handle: (context: RequestContext) => Promise<Response>,
): Promise<Response> =>
  trackRequest(request, '/*', handle, () => undefined, request.headers.get('x-request-id'))
