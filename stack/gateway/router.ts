import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'
import type { LinkPreview } from '../../supabase/functions/_shared/link-previews/preview.ts'
import type { RealtimeServer } from '../realtime/server.ts'
import { isPublicAuthRequest } from '../shared/auth-access.ts'
import { badRequest, forbidden, notFound, rateLimited } from '../shared/error-responses.ts'
import { clientAddress } from '../shared/forwarded-request.ts'
import type { Log } from '../shared/log.ts'
import { hasLoopbackHost, isLoopback, isLoopbackHost } from '../shared/loopback.ts'
import { RateLimiter, RefusalDelay } from '../shared/rate-limiter.ts'
import { compressJson } from './compression.ts'
import type { GatewayConfig } from './config.ts'
import { callFunction, type EdgeFunction } from './functions.ts'
import { createResponseHeaders, type ResponseHeaders } from './headers.ts'
import { proxy, type Upstream } from './proxy.ts'
import type { StaticFiles } from './static-files.ts'
import { responseTimeoutMs } from './timeouts.ts'

export interface Services {
  api: EdgeFunction
  realtime: RealtimeServer
  staticFiles: StaticFiles
  /** Returns the preview of the page at a path, or null if it has none. Never fails. */
  findLinkPreview: (path: string) => Promise<LinkPreview | null>
}

export type Router = (request: Request, peer: string) => Promise<Response>

const functionsPrefix = '/functions/v1'

const megabyte = 1024 * 1024

/** Creates a limiter that allows bursts of `burstSeconds` times `rate`. A null rate means no limit. */
function createLimiter(rate: number | null, burstSeconds: number): RateLimiter {
  const perSecond = rate ?? Number.POSITIVE_INFINITY
  return new RateLimiter(perSecond, perSecond * burstSeconds)
}

/** Creates the public server's router, which selects a service by path. */
export function createRouter(config: GatewayConfig, services: Services, log: Log): Router {
  const responseHeaders = createResponseHeaders(config)
  const proxies = createProxies(config, responseHeaders, log)

  const realtime = async (request: Request, path: string, peer: string): Promise<Response> => {
    const address = clientAddress(request, peer, config.trustProxy)
    if (path === '/realtime/v1/websocket') return await services.realtime.handleUpgrade(request, address)
    if (path.startsWith('/realtime/v1/api/')) {
      return withHeaders(await services.realtime.handleHttp(request, address), responseHeaders.api)
    }
    return withHeaders(notFound(), responseHeaders.api)
  }

  return async (request, peer) => {
    const url = URL.parse(request.url)
    // An invalid Host header makes the URL invalid. `fetch` cannot forward TRACE, which would echo the request.
    if (!url || request.method === 'TRACE') return withHeaders(badRequest(), responseHeaders.api)
    if (config.demo && !isLocal(request)) {
      const message = `The demo accounts have a public password, so this instance is served only at ${config.publicUrl}. To share it, set PUBLIC_URL and use another DATA_DIR.`
      return withHeaders(forbidden(message), responseHeaders.api)
    }
    const path = url.pathname
    // `functions.invoke` calls the `api` function under /functions/v1, as on Supabase.
    const isInvocation = isUnder(path, `${functionsPrefix}/api`)
    if (isUnder(path, '/api') || isInvocation) {
      const apiPath = isInvocation ? path.slice(functionsPrefix.length) : path
      const apiRequest = isInvocation ? new Request(`${url.origin}${apiPath}${url.search}`, request) : request
      const timeoutMs = responseTimeoutMs(request.method, apiPath)
      const response = await callFunction(services.api, apiRequest, peer, log, timeoutMs)
      return withHeaders(await compressJson(request, apiPath, response), responseHeaders.api)
    }
    if (isUnder(path, '/rest/v1')) return await proxies.rest(request, peer)
    if (isUnder(path, '/storage/v1')) return await proxies.storage(request, peer)
    if (isUnder(path, '/auth/v1')) return await proxies.auth(request, url, peer)
    if (isUnder(path, '/realtime/v1')) return await realtime(request, path, peer)

    const redirect = redirectToPublicHost(request, url, config.publicUrl)
    if (redirect) return withHeaders(redirect, (headers) => responseHeaders.page(headers, path))
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const preview = isRead ? await services.findLinkPreview(path) : null
    const response = services.staticFiles.respond(request, preview)
    if (response)
      return withHeaders(response, (headers) => responseHeaders.page(headers, path, preview !== null))
    const message = services.staticFiles.isEmpty ? 'The web app has not been built: run npm start' : undefined
    return withHeaders(notFound(message), responseHeaders.api)
  }
}

/** Creates the functions that limit requests to Auth, the Data API and Storage, and forward them. */
function createProxies(config: GatewayConfig, responseHeaders: ResponseHeaders, log: Log) {
  const lite: Upstream = { url: config.liteUrl, maxBodyBytes: megabyte }
  const dataApi: Upstream = { url: config.dataApiUrl, maxBodyBytes: megabyte }
  const dataApiLimiter = createLimiter(config.dataApiRate, 3)
  const authLimiter = createLimiter(config.authRate, 6)
  const storageLimiter = createLimiter(config.storageRate, 5)
  const refusalDelay = new RefusalDelay()
  // The file size limit in supabase/config.toml (500 MiB) plus the multipart overhead.
  const storageUpstream: Upstream = { url: config.liteUrl, maxBodyBytes: 520 * megabyte }
  const networkOf = (request: Request, peer: string): string =>
    networkPrefix(clientAddress(request, peer, config.trustProxy))

  const auth = async (request: Request, url: URL, peer: string): Promise<Response> => {
    const preflightMethod =
      request.method === 'OPTIONS' ? (request.headers.get('access-control-request-method') ?? '') : ''
    if (!isPublicAuthRequest(request.method, url) && !isPublicAuthRequest(preflightMethod, url)) {
      return withHeaders(forbidden('Forbidden: sign in through /api'), responseHeaders.api)
    }
    if (!authLimiter.take(networkOf(request, peer))) return withHeaders(rateLimited(), responseHeaders.api)
    return await proxy(request, lite, peer, responseHeaders.api, log)
  }

  /** Returns 429 after a delay, which slows down a flood of requests. */
  const refuse = async (request: Request): Promise<Response> => {
    await refusalDelay.wait(request.signal)
    return withHeaders(rateLimited(), responseHeaders.api)
  }

  const rest = async (request: Request, peer: string): Promise<Response> => {
    // The Data API has more precise limits. The limit here makes a flood of requests cheap to reject.
    const network = networkOf(request, peer)
    if (!dataApiLimiter.take(network)) return await refuse(request)
    const response = await proxy(request, dataApi, peer, responseHeaders.api, log)
    // If the client disconnects, the Data API has to cancel the query, which costs more than a response. So a
    // disconnect counts as one second's worth of requests. After the last disconnect, requests are refused for at most
    // about a second.
    const rate = config.dataApiRate
    if (request.signal.aborted && rate !== null) dataApiLimiter.spend(network, rate, rate)
    return await compressJson(request, new URL(request.url).pathname, response)
  }

  const storage = async (request: Request, peer: string): Promise<Response> => {
    if (!storageLimiter.take(networkOf(request, peer))) return await refuse(request)
    return await proxy(request, storageUpstream, peer, responseHeaders.upload, log)
  }

  return { auth, rest, storage }
}

/**
 * Adds headers to a response, or to a copy if its headers are immutable, as in a `fetch` response or a redirect. The
 * response is copied only if necessary, because the copy's body is a stream, which is slower to send than a string.
 */
function withHeaders(response: Response, add: (headers: Headers) => Headers): Response {
  try {
    add(response.headers)
    return response
  } catch {
    return new Response(response.body, {
      status: response.status,
      headers: add(new Headers(response.headers)),
    })
  }
}

/** Returns the route of a path for the logs and metrics. The API replaces it with its own route. */
export function routeOf(path: string): string {
  if (path === '/realtime/v1/websocket' || path === '/metrics') return path
  const prefix = ['/api', '/functions/v1', '/rest/v1', '/storage/v1', '/auth/v1', '/realtime/v1'].find(
    (each) => isUnder(path, each),
  )
  return `${prefix ?? ''}/*`
}

/** Returns whether a request was sent to a loopback host. A tunnel or proxy may report the original host separately. */
function isLocal(request: Request): boolean {
  const forwardedHost = request.headers.get('x-forwarded-host')
  return hasLoopbackHost(request) && (forwardedHost === null || isLoopbackHost(forwardedHost))
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

/**
 * Returns a redirect to the public URL for a page load under another loopback name; null for all other requests. A
 * session's cookies belong to one host, and `localhost` and `127.0.0.1` are different hosts to a browser.
 */
function redirectToPublicHost(request: Request, url: URL, publicUrl: string): Response | null {
  const target = new URL(publicUrl)
  if (url.hostname === target.hostname || !isLoopback(url.hostname) || !isLoopback(target.hostname))
    return null
  if (request.method !== 'GET' || request.headers.get('sec-fetch-mode') !== 'navigate') return null
  return new Response(null, {
    status: 307,
    headers: { location: `${target.origin}${url.pathname}${url.search}` },
  })
}
