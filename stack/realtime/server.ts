/**
 * The embedded Realtime server: Supabase's Realtime protocol in one process, for the whole stack that
 * starts without Docker. It runs inside the process that serves the gateway.
 *
 * Not spoken: `postgres_changes` (the app broadcasts from the database instead), replay, and public
 * topics, which every holder of the publishable key could use: only private ones can be joined.
 *
 * One thing more than upstream: a database-made event `access.changed` on a private topic makes the
 * rights of everyone joined to it be asked again at once. Who may no longer read gets a system message
 * and is closed; the others get the event. Hosted, the event is only delivered, and rights are asked
 * again when the token is next refreshed. So is a session or account that is deleted: closed here at
 * once, there at the next refresh.
 *
 * And three things less: a person sends broadcasts of at most 4 kB, which a slow reader may miss; says at most
 * 1 kB of themselves in presence, from at most ten sockets a topic; and is present under their own id alone,
 * whatever key their client asked for. The operator's own programs (secret key) choose their keys and send up
 * to upstream's 3 MB. Hosted, upstream's limits are all there is.
 */

import { networkOf } from '../../supabase/functions/_shared/http/network.ts'
import type { Log } from '../shared/log.ts'
import type { StoredMessage } from './announcement.ts'
import { Authenticator } from './auth.ts'
import type { Services } from './channel.ts'
import { Feed } from './feed.ts'
import { HttpSide } from './http.ts'
import { defaultLimits, type Limits, RateTable } from './limits.ts'
import { broadcastBody, parseVersion } from './protocol.ts'
import { Registry } from './registry.ts'
import { Rights } from './rights.ts'
import { ClientSocket } from './socket.ts'

const ACCESS_CHANGED = 'access.changed'
const SWEEP_EVERY_MS = 5_000
const HEALTH_TIMEOUT_MS = 2_000
const uncounted = {
  sockets: Number.POSITIVE_INFINITY,
  socketsPerAccount: Number.POSITIVE_INFINITY,
  socketsPerAddress: Number.POSITIVE_INFINITY,
  joinsAtOnce: Number.POSITIVE_INFINITY,
}

export type RealtimeOptions = {
  /** The role `realtime_admin`: rights are tried by becoming the caller. */
  databaseUrl: string
  /** The HS256 secret that signs sessions. */
  jwtSecret: string
  publishableKey: string
  secretKey: string
  /** Whether sockets are counted, and the joins of one account and of one network. */
  rateLimits: boolean
  log: Log
}

export type RealtimeServer = {
  /** Answers the upgrade of `/realtime/v1/websocket`, asked for from `address`: a socket, or 400, 401, 426 or 429 with the reason. */
  handleUpgrade(request: Request, address: string): Promise<Response>
  /** Answers every other request under `/realtime/v1`. */
  handleHttp(request: Request, address: string): Promise<Response>
  /** Whether messages of the database are heard and rights can be asked. */
  healthy(): Promise<boolean>
  /** Closes every socket and every connection to the database. */
  close(): Promise<void>
}

/**
 * Starts the server. Throws when the database cannot be reached or lacks the schema of bootstrap.sql;
 * later losses of the database are survived and repaired.
 */
export async function createRealtime(options: RealtimeOptions): Promise<RealtimeServer> {
  const { databaseUrl, log } = options
  const limits: Limits = options.rateLimits ? defaultLimits : { ...defaultLimits, ...uncounted }
  const authenticator = new Authenticator(options.jwtSecret, options.publishableKey, options.secretKey)
  const registry = new Registry()
  const rights = new Rights(databaseUrl)
  const feed = new Feed(databaseUrl, feedEvents(registry), log)
  const joins = new RateTable(limits.joinsSteadily, limits.joinsAtOnce)
  const services: Services = { registry, rights, feed, authenticator, limits, joins, log }
  const sockets = new Set<ClientSocket>()
  const perNetwork = new Map<string, number>()

  const healthy = async (): Promise<boolean> => {
    if (!feed.isListening()) return false
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), HEALTH_TIMEOUT_MS)
    })
    const answered = rights.ping().then(
      () => true,
      () => false,
    )
    const result = await Promise.race([answered, late])
    clearTimeout(timer)
    return result
  }

  try {
    await feed.start()
  } catch (error) {
    await Promise.allSettled([feed.close(), rights.close()])
    throw error
  }
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const socket of sockets) socket.closeIfIdle(now)
  }, SWEEP_EVERY_MS)
  const http = new HttpSide(services, healthy)

  return {
    async handleUpgrade(request, address) {
      const params = new URL(request.url).searchParams
      const version = parseVersion(params.get('vsn'))
      if (!version) return refuse(400, 'Unsupported protocol version')
      const key = params.get('apikey') ?? request.headers.get('x-api-key')
      if (!key) return refuse(401, 'API key is missing')
      const result = await authenticator.check(key)
      if ('refusal' in result) return refuse(401, result.refusal.message)
      const network = networkOf(address)
      const open = perNetwork.get(network) ?? 0
      if (sockets.size >= limits.sockets || open >= limits.socketsPerAddress) {
        return refuse(429, 'Too many connected users')
      }
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
        return refuse(426, 'Upgrade required')
      const { socket, response } = upgrade(request)
      const over = (ended: ClientSocket): void => {
        sockets.delete(ended)
        const left = (perNetwork.get(network) ?? 1) - 1
        if (left > 0) perNetwork.set(network, left)
        else perNetwork.delete(network)
      }
      sockets.add(new ClientSocket(socket, services, version, result.identity, network, over))
      perNetwork.set(network, open + 1)
      return response
    },
    handleHttp: (request, address) => http.handle(request, address),
    healthy,
    async close() {
      clearInterval(sweep)
      for (const socket of [...sockets]) socket.stop()
      await Promise.allSettled([feed.close(), rights.close()])
    },
  }
}

/** What the database's news do to the topics. */
function feedEvents(registry: Registry) {
  return {
    wanted: (topic: string) => registry.find(topic) !== undefined,
    message(message: StoredMessage) {
      const topic = registry.find(message.topic)
      if (!topic) return
      if (message.event === ACCESS_CHANGED) {
        // Before the event goes out, so that it waits for the answer like everything behind it.
        for (const member of [...topic.members]) member.recheck()
      }
      const { event, id } = message
      const meta = { id }
      topic.broadcast(
        message.bytes
          ? { kind: 'binary', event, bytes: message.bytes, meta }
          : { kind: 'json', body: broadcastBody(event, message.payload, meta) },
      )
    },
    ended(kind: 'session' | 'user', id: string) {
      for (const member of registry.boundTo(kind, id)) member.endSession()
    },
    /**
     * Every channel is sent into a rejoin (`phx_error`, which the client answers by joining again after
     * a second). The join waits until the feed listens, and its success makes the app fetch what it may
     * have missed. Closing sockets instead would cost a new connection each and say nothing more.
     */
    lost() {
      for (const member of registry.everyone()) member.resync()
    },
  }
}

function upgrade(request: Request): Deno.WebSocketUpgrade {
  const offered = request.headers.get('sec-websocket-protocol') ?? ''
  const protocol = offered.split(',').some((name) => name.trim() === 'phoenix') ? 'phoenix' : undefined
  return Deno.upgradeWebSocket(request, { idleTimeout: 30, ...(protocol && { protocol }) })
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
