import { join } from 'node:path'
import { startRealtimeServer } from '../realtime/server.ts'
import { internalError, notFound, serviceUnavailable } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import { setUpProcess } from '../shared/process-setup.ts'
import type { GatewayConfig } from './config.ts'
import { callFunction, loadFunction } from './functions.ts'
import { createRouter } from './router.ts'
import { loadStaticFiles } from './static-files.ts'
import { jobTimeoutMs } from './timeouts.ts'

// Runs the gateway, which serves the web app, the API and Realtime, and proxies Auth, the Data API and Storage.
const { config, log, onStop } = setUpProcess<GatewayConfig>('gateway')

const [api, jobs, realtime, staticFiles] = await Promise.all([
  loadFunction(config.root, 'api'),
  loadFunction(config.root, 'jobs'),
  startRealtimeServer({ ...config.realtime, log }),
  loadStaticFiles(join(config.root, 'dist'), new URL(config.publicUrl).origin),
]).catch((error) => {
  log.error('start_failed', { reason: errorMessage(error) })
  Deno.exit(1)
})

const route = createRouter(config, { api, realtime, staticFiles }, log)

function onError(error: unknown): Response {
  log.error('request_failed', { reason: errorMessage(error) })
  return internalError()
}

/** Handles job runs and the health check of Realtime, on a separate port that is only reachable from this machine. */
async function routeInternal(request: Request, peer: string): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/jobs/')) return await callFunction(jobs, request, peer, log, jobTimeoutMs)
  if (pathname === '/health/realtime') {
    return (await realtime.isHealthy())
      ? Response.json({ status: 'ok' })
      : serviceUnavailable('Realtime is not available')
  }
  return notFound()
}

const internalServer = Deno.serve(
  { hostname: '127.0.0.1', port: config.internalPort, onListen: () => undefined, onError },
  (request, info) => routeInternal(request, info.remoteAddr.hostname),
)
const publicServer = Deno.serve(
  {
    hostname: config.host.replace(/^\[|\]$/g, ''),
    port: config.port,
    onListen: () => log.info('server_started', { port: config.port }),
    onError,
  },
  (request, info) => route(request, info.remoteAddr.hostname),
)

onStop(async () => {
  const timeout = new Promise((resolve) => setTimeout(resolve, 3000))
  const drained = Promise.all([publicServer.shutdown(), internalServer.shutdown()])
  // Open sockets would keep the shutdown from ever finishing.
  await Promise.race([realtime.close(), timeout])
  await Promise.race([drained, timeout])
})
