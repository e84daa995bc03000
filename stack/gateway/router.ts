import { isOpenAuth } from '../lite/guard.ts'
import type { RealtimeServer } from '../realtime/server.ts'
import { badRequest, forbidden, notFound } from '../shared/answers.ts'
import type { Log } from '../shared/log.ts'
import { isLoopback } from '../shared/loopback.ts'
import type { GatewayConfig } from './config.ts'
import { callFunction, type EdgeFunction } from './functions.ts'
import { clientAddress, outwardHeaders } from './headers.ts'
import { patienceFor } from './patience.ts'
import { proxy, type Target } from './proxy.ts'
import type { StaticFiles } from './static.ts'

export interface Services {
  api: EdgeFunction
  realtime: RealtimeServer
  files: StaticFiles
}

export type Router = (request: Request, peer: string) => Promise<Response>

const megabyte = 1024 * 1024

/** Decides, by the path alone, which part of the stack answers what arrives at PORT. */
export function createRouter(config: GatewayConfig, services: Services, log: Log): Router {
  const dress = outwardHeaders(config)
  const rows: Target = { url: config.liteUrl, limit: megabyte }
  // A video, and what surrounds it.
  const files: Target = { url: config.liteUrl, limit: 520 * megabyte }
  const dressed = (answer: Response, how: (headers: Headers) => Headers): Response => {
    const open = changeable(answer)
    how(open.headers)
    return open
  }

  const auth = (request: Request, url: URL, peer: string): Promise<Response> | Response => {
    const asked =
      request.method === 'OPTIONS' ? (request.headers.get('access-control-request-method') ?? '') : ''
    if (isOpenAuth(request.method, url) || (asked !== '' && isOpenAuth(asked, url))) {
      return proxy(request, rows, peer, dress.api, log)
    }
    return forbidden('Forbidden: sign in through /api')
  }

  const realtime = async (request: Request, path: string, peer: string): Promise<Response> => {
    const address = clientAddress(request, peer, config.trustProxy)
    if (path === '/realtime/v1/websocket') return await services.realtime.handleUpgrade(request, address)
    if (path.startsWith('/realtime/v1/api/')) {
      return dressed(await services.realtime.handleHttp(request, address), dress.api)
    }
    return dressed(notFound(), dress.api)
  }

  return async (request, peer) => {
    const url = URL.parse(request.url)
    // A Host header that is none makes an address that is none; a method that echoes the request could not be passed on.
    if (!url || request.method === 'TRACE') return dressed(badRequest(), dress.api)
    const path = url.pathname
    if (under(path, '/api')) {
      const patience = patienceFor(request.method, path)
      return dressed(await callFunction(services.api, request, peer, log, patience), dress.api)
    }
    if (under(path, '/rest/v1')) return await proxy(request, rows, peer, dress.api, log)
    if (under(path, '/storage/v1')) return await proxy(request, files, peer, dress.upload, log)
    if (under(path, '/auth/v1')) return dressed(await auth(request, url, peer), dress.api)
    if (under(path, '/realtime/v1')) return await realtime(request, path, peer)

    const answer = toOneHost(request, url, config.publicUrl) ?? services.files.answer(request)
    if (answer) return dressed(answer, (headers) => dress.page(headers, path))
    const missing = services.files.empty ? 'The web app has not been built: run npm start' : undefined
    return dressed(notFound(missing), dress.api)
  }
}

/**
 * The answer, or a copy where its headers are fixed (it is one of `fetch`, or a redirect). Copying makes a stream of
 * every body, which takes longer to send than a text that is there already.
 */
function changeable(answer: Response): Response {
  try {
    answer.headers.delete('keep-alive')
    return answer
  } catch {
    return new Response(answer.body, { status: answer.status, headers: answer.headers })
  }
}

function under(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

/**
 * Sessions live in cookies of one host, and `localhost` is not `127.0.0.1` to a browser: who opens the other
 * name of this machine is sent to the one in use.
 */
function toOneHost(request: Request, url: URL, publicUrl: string): Response | null {
  const wanted = new URL(publicUrl)
  if (url.hostname === wanted.hostname || !isLoopback(url.hostname) || !isLoopback(wanted.hostname))
    return null
  if (request.method !== 'GET' || request.headers.get('sec-fetch-mode') !== 'navigate') return null
  return new Response(null, {
    status: 307,
    headers: { location: `${wanted.origin}${url.pathname}${url.search}` },
  })
}
