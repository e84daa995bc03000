import { join } from 'node:path'
import { bearerToken } from '../../supabase/functions/_shared/http/bearer-token.ts'
import {
  type CallerKind,
  type CompletedRequest,
  type RequestContext,
  trackRequest,
} from '../../supabase/functions/_shared/http/request-context.ts'
import { startRealtimeServer } from '../realtime/server.ts'
import { Authenticator } from '../shared/authenticator.ts'
import { internalError, notFound, serviceUnavailable } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import { startLoopbackServer } from '../shared/loopback-server.ts'
import { setUpProcess } from '../shared/process-setup.ts'
import { waitForDatabase } from '../shared/wait-for-database.ts'
import type { GatewayConfig } from './config.ts'
import { ConnectionTimeouts } from './connections.ts'
import { callFunction, loadFunction } from './functions.ts'
import { createMetrics } from './metrics.ts'
import { createRouter, routeOf } from './router.ts'
import { loadStaticFiles } from './static-files.ts'
import { jobTimeoutMs } from './timeouts.ts'

// Runs the gateway, which serves the web app, the API and Realtime, and proxies Auth, the Data API and Storage.
const { config, log, onStop } = setUpProcess<GatewayConfig>('gateway')

await waitForDatabase(config.realtime.databaseUrl)
const [api, jobs, realtime] = await Promise.all([
  loadFunction(config.root, 'api'),
  loadFunction(config.root, 'jobs'),
  startRealtimeServer({ ...config.realtime, log }),
]).catch((error) => {
  log.error('start_failed', { reason: errorMessage(error) })
  Deno.exit(1)
})

// Imported after the functions, which validate the environment and prepare zod before they load these modules.
const [
  { readDatabaseStatus, readDisk, readLastBackup, readLedgerImbalance },
  { checkHealth },
  { poolUse },
  { env },
  previews,
] = await Promise.all([
  import('../../supabase/functions/_shared/system/status.ts'),
  import('../../supabase/functions/_shared/system/health.ts'),
  import('../../supabase/functions/_shared/db/pool.ts'),
  import('../../supabase/functions/_shared/env.ts'),
  import('../../supabase/functions/_shared/link-previews/find.ts'),
])

const staticFiles = await loadStaticFiles(
  join(config.root, 'dist'),
  new URL(config.publicUrl).origin,
  env.appName,
)
const { findLinkPreview } = previews
const route = createRouter(config, { api, realtime, staticFiles, findLinkPreview }, log)
const { socketCount } = realtime
const metrics = createMetrics(
  {
    readDatabaseStatus,
    readDisk,
    readLastBackup,
    readLedgerImbalance,
    checkHealth,
    poolUse,
    socketCount,
  },
  config.metricsToken,
  log,
)
const authenticator = new Authenticator(config.realtime)
/**
 * Methods that never cause Realtime messages. After a request with another method, Realtime reads the database without
 * waiting for its next poll.
 */
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

function onCompleted(request: CompletedRequest): void {
  metrics.observe(request)
  const { method, route, status, ms, caller } = request
  if (config.accessLog) log.info('request_completed', { method, route, status, ms, caller })
}

/**
 * Returns who called Auth, the Data API, Storage or Realtime, for the access log. The API determines this itself.
 */
async function findCallerKind(request: Request): Promise<CallerKind> {
  const bearer = bearerToken(request.headers.get('authorization'))
  for (const credential of [bearer, request.headers.get('apikey')]) {
    const result = credential ? await authenticator.check(credential) : null
    if (!result || 'rejection' in result) continue
    if (result.identity.role === 'service_role') return 'service'
    if (result.identity.role === 'authenticated') return 'user'
  }
  return 'visitor'
}

/** Handles a request to the public port. */
async function routePublic(request: Request, peer: string): Promise<Response> {
  const path = URL.parse(request.url)?.pathname ?? '/'
  const respond = async (context: RequestContext): Promise<Response> => {
    if (path === '/metrics' && config.metricsToken !== null) return await metrics.respondToToken(request)
    const response = await route(request, peer)
    if (!readMethods.has(request.method)) realtime.wake()
    // Rejecting a flood of requests must stay cheap, so tokens are not verified for 429 responses. After an upgrade
    // (101), the request can no longer be read.
    if (/^\/(rest|storage|auth|realtime)\/v1\//.test(path) && ![101, 429].includes(response.status)) {
      context.caller = await findCallerKind(request)
    }
    return response
  }
  const handle = (context: RequestContext) => respond(context).catch(onError)
  return await trackRequest(request, routeOf(path), handle, onCompleted)
}

function onError(error: unknown): Response {
  log.error('request_failed', { reason: errorMessage(error) })
  return internalError()
}

/**
 * Handles job runs, metrics and health checks, on a separate port that is only reachable from this machine.
 */
async function routeInternal(request: Request, peer: string): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/health') return new Response(null, { status: 204 })
  if (pathname === '/metrics') return await metrics.respondLocally(request)
  if (pathname.startsWith('/jobs/')) {
    const run = () => callFunction(jobs, request, peer, log, jobTimeoutMs).finally(realtime.wake)
    return await trackRequest(request, '/jobs/*', run, onCompleted)
  }
  if (pathname === '/health/realtime') {
    return (await realtime.isHealthy())
      ? Response.json({ status: 'ok' })
      : serviceUnavailable('Realtime is not available')
  }
  return notFound()
}

const internalServer = startLoopbackServer(config.internalPort, log, routeInternal)
const connectionTimeouts = new ConnectionTimeouts(config.port, log, realtime.findSocket)
const publicServer = Deno.serve(
  {
    hostname: config.host.replace(/^\[|\]$/g, ''),
    port: config.port,
    onListen: () => log.info('server_started', { port: config.port }),
    onError,
  },
  (request, info) => connectionTimeouts.track(info, routePublic(request, info.remoteAddr.hostname)),
)

onStop(async () => {
  connectionTimeouts.stop()
  const timeout = new Promise((resolve) => setTimeout(resolve, 3000))
  const drained = Promise.all([publicServer.shutdown(), internalServer.stop(3000)])
  // The shutdown does not finish while a socket is open.
  await Promise.race([realtime.close(), timeout])
  await Promise.race([drained, timeout])
})
