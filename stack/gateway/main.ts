import { join } from 'node:path'
import { createRealtime } from '../realtime/server.ts'
import { failed, notFound, unavailable } from '../shared/answers.ts'
import { enterPart } from '../shared/part.ts'
import { messageOf } from '../shared/sentence.ts'
import type { GatewayConfig } from './config.ts'
import { callFunction, loadFunction } from './functions.ts'
import { jobPatience } from './patience.ts'
import { createRouter } from './router.ts'
import { loadStatic } from './static.ts'

/** The server that people reach: the web app, the API, Realtime, and the way to Data API and Storage. */
const { config, log, onStop } = enterPart<GatewayConfig>('gateway')

const [api, jobs, realtime, files] = await Promise.all([
  loadFunction(config.root, 'api'),
  loadFunction(config.root, 'jobs'),
  createRealtime({ ...config.realtime, log }),
  loadStatic(join(config.root, 'dist'), new URL(config.publicUrl).origin),
]).catch((error) => {
  log.error('cannot start', { reason: messageOf(error) })
  Deno.exit(1)
})

const route = createRouter(config, { api, realtime, files }, log)

function onError(error: unknown): Response {
  log.error('request failed', { reason: messageOf(error) })
  return failed()
}

/** Jobs and health, for the supervisor: never behind PORT. */
async function internal(request: Request, peer: string): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/jobs/')) return await callFunction(jobs, request, peer, log, jobPatience)
  if (pathname === '/health/realtime') {
    return (await realtime.healthy())
      ? Response.json({ status: 'ok' })
      : unavailable('Realtime is not available')
  }
  return notFound()
}

const inner = Deno.serve(
  { hostname: '127.0.0.1', port: config.internalPort, onListen: () => undefined, onError },
  (request, info) => internal(request, info.remoteAddr.hostname),
)
const outer = Deno.serve(
  {
    hostname: config.host.replace(/^\[|\]$/g, ''),
    port: config.port,
    onListen: () => log.info('listening', { port: config.port }),
    onError,
  },
  (request, info) => route(request, info.remoteAddr.hostname),
)

onStop(async () => {
  const grace = new Promise((resolve) => setTimeout(resolve, 3000))
  const drained = Promise.all([outer.shutdown(), inner.shutdown()])
  // Open sockets would keep the server from ever being drained.
  await Promise.race([realtime.close(), grace])
  await Promise.race([drained, grace])
})
