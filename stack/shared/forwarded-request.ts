import { type RequestContext, trackRequest } from '../../supabase/functions/_shared/http/request-context.ts'

/** Handles a request that the gateway has forwarded. Its log lines contain the request ID that the gateway logs. */
export const trackForwardedRequest = (
  request: Request,
  handle: (context: RequestContext) => Promise<Response>,
): Promise<Response> =>
  trackRequest(request, '/*', handle, () => undefined, request.headers.get('x-request-id'))

/**
 * Returns the address that a request comes from: the connected client's, or the one that the trusted proxies report.
 *
 * @param trustedProxies how many trusted proxies are in front of this process
 */
export function clientAddress(request: Request, peer: string, trustedProxies: number): string {
  const chain = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  const hops = [...chain.filter((hop) => hop !== ''), peer]
  return hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? peer
}
