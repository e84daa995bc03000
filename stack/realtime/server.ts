/**
 * Implements Supabase's Realtime protocol in a single process. The server runs inside the gateway.
 *
 * Not supported: `postgres_changes` (the database broadcasts instead), storing the broadcasts of clients (`persist`),
 * and public topics, which anyone with the publishable key could use. Only private topics can be joined.
 *
 * This server adds two features to Supabase's Realtime. First, when the database sends the `access.changed` event on a
 * private topic, the permissions of all members of the topic are checked again immediately. Members that have lost
 * permission to read get a system message, and their channels are closed; the others get the event. A message on the
 * `access:<user id>` topic, which nobody can join, makes the server check all channels of that user. Supabase only
 * delivers the event, and checks permissions again at the next token refresh. Second, the sockets of a deleted session
 * or account are closed immediately; Supabase closes their channels at the next refresh.
 *
 * There are restrictions that Supabase does not have (see limits.ts for more): a user's broadcasts are limited to 4 kB,
 * and slow clients may miss them; presence is limited to 1 kB, and to ten sockets per key and topic; in conversations,
 * users are present under their own id, regardless of the requested key; an account has at most 500 channels; without
 * the secret key, frames are limited to 64 kB, and a network to 1 MB per second after a burst of 10 MB. Callers with
 * the secret key may broadcast up to Supabase's 3 MB. Replay sends only messages that the policies let the caller
 * select, whereas Supabase checks only whether the topic may be read.
 */

import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'
import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'
import { Authenticator } from '../shared/authenticator.ts'
import type { Log } from '../shared/log.ts'
import { RateLimiter } from '../shared/rate-limiter.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'
import type { Services } from './channel.ts'
import { type DatabaseEvents, DatabaseListener } from './database-listener.ts'
import { HttpApi } from './http-api.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { PermissionChecker } from './permission-checker.ts'
import { parseVersion } from './protocol.ts'
import { Registry } from './registry.ts'
import { ClientSocket } from './socket.ts'

const ACCESS_CHANGED = 'access.changed'
const ACCESS_TOPIC_PREFIX = 'access:'
const IDLE_CHECK_EVERY_MS = 5_000
const HEALTH_TIMEOUT_MS = 2_000
/**
 * For load tests, disables the limit on the total number of sockets, and the limits on the sockets, channels, joins and
 * bytes of each account or network.
 */
const unlimitedCounts: Partial<Limits> = {
  sockets: Number.POSITIVE_INFINITY,
  socketsPerAccount: Number.POSITIVE_INFINITY,
  socketsPerNetwork: Number.POSITIVE_INFINITY,
  channelsPerAccount: Number.POSITIVE_INFINITY,
  joinBurstPerAccount: Number.POSITIVE_INFINITY,
  byteBurstPerNetwork: Number.POSITIVE_INFINITY,
}

export type RealtimeOptions = ServiceKeys & {
  /** The database URL of the `realtime_admin` role. */
  databaseUrl: string
  /**
   * Whether there are limits on the total number of sockets, and on the sockets, channels, joins and bytes of each
   * account or network.
   */
  rateLimits: boolean
  log: Log
}

export type RealtimeServer = {
  /**
   * Upgrades a request for `/realtime/v1/websocket` from `address`, or responds with 400, 401, 426 or 429 and a reason.
   */
  handleUpgrade(request: Request, address: string): Promise<Response>
  /** Returns the socket that `handleUpgrade` opened with this response. */
  findSocket(response: Response): Pick<ClientSocket, 'messageBytes' | 'maxIncompleteBytes'> | undefined
  /** Handles a request under `/realtime/v1/api`. */
  handleHttp(request: Request, address: string): Promise<Response>
  /** Delivers new messages from the database immediately. Call it after a request that may have written some. */
  wake(): void
  /** Returns whether messages from the database are received and permissions can be checked. */
  isHealthy(): Promise<boolean>
  /** Returns how many sockets are open. */
  socketCount(): number
  /** Closes every socket and every connection to the database. */
  close(): Promise<void>
}

/**
 * Starts the server. If the database connection is lost later, the server reconnects.
 *
 * @throws Error when the database cannot be reached, or lacks the schema of bootstrap.sql
 */
export async function startRealtimeServer(options: RealtimeOptions): Promise<RealtimeServer> {
  const { databaseUrl, log } = options
  const limits: Limits = options.rateLimits ? defaultLimits : { ...defaultLimits, ...unlimitedCounts }
  const authenticator = new Authenticator(options)
  const registry = new Registry()
  const permissions = new PermissionChecker(databaseUrl)
  const listener = new DatabaseListener(databaseUrl, createDatabaseEvents(registry), log)
  const joinLimiter = new RateLimiter(limits.joinsPerSecondPerAccount, limits.joinBurstPerAccount)
  const byteLimiter = new RateLimiter(limits.bytesPerSecondPerNetwork, limits.byteBurstPerNetwork)
  const services: Services = {
    registry,
    permissions,
    listener,
    authenticator,
    limits,
    joinLimiter,
    byteLimiter,
    log,
  }
  const sockets = new Set<ClientSocket>()
  const socketsPerNetwork = new Map<string, number>()
  const socketsByResponse = new WeakMap<Response, ClientSocket>()

  const isHealthy = async (): Promise<boolean> => {
    if (!listener.isListening()) return false
    return await withTimeout(permissions.ping(), HEALTH_TIMEOUT_MS).then(
      () => true,
      () => false,
    )
  }

  try {
    await listener.start()
  } catch (error) {
    await Promise.allSettled([listener.close(), permissions.close()])
    throw error
  }
  const idleCheck = setInterval(() => {
    const now = performance.now()
    for (const socket of sockets) socket.closeIfIdle(now)
  }, IDLE_CHECK_EVERY_MS)
  const http = new HttpApi(services, isHealthy)

  return {
    async handleUpgrade(request, address) {
      const params = new URL(request.url).searchParams
      const version = parseVersion(params.get('vsn'))
      if (!version) return refuse(400, 'Unsupported protocol version')
      const key = params.get('apikey') ?? request.headers.get('x-api-key')
      if (!key) return refuse(401, 'API key is missing')
      const result = await authenticator.check(key)
      if ('rejection' in result) return refuse(401, result.rejection.message)
      const network = networkPrefix(address)
      const openSockets = socketsPerNetwork.get(network) ?? 0
      if (sockets.size >= limits.sockets || openSockets >= limits.socketsPerNetwork) {
        return refuse(429, 'Too many connected users')
      }
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
        return refuse(426, 'Upgrade required')
      const { socket, response } = upgrade(request)
      const onClose = (closed: ClientSocket): void => {
        sockets.delete(closed)
        const remaining = (socketsPerNetwork.get(network) ?? 1) - 1
        if (remaining > 0) socketsPerNetwork.set(network, remaining)
        else socketsPerNetwork.delete(network)
      }
      const client = new ClientSocket(socket, services, version, result.identity, network, onClose)
      sockets.add(client)
      socketsByResponse.set(response, client)
      socketsPerNetwork.set(network, openSockets + 1)
      return response
    },
    findSocket: (response) => socketsByResponse.get(response),
    handleHttp: (request, address) => http.handle(request, address),
    wake: () => listener.wake(),
    isHealthy,
    socketCount: () => sockets.size,
    async close() {
      clearInterval(idleCheck)
      for (const socket of [...sockets]) socket.stop()
      await Promise.allSettled([listener.close(), permissions.close()])
    },
  }
}

/** Routes events from the database to the topics. */
function createDatabaseEvents(registry: Registry): DatabaseEvents {
  /** Returns the channels of the user whose `access:` topic this is, or none for any other topic. */
  const membersOfUser = (topic: string) =>
    topic.startsWith(ACCESS_TOPIC_PREFIX)
      ? registry.findMembers('user', topic.slice(ACCESS_TOPIC_PREFIX.length))
      : []
  return {
    hasMembers: (topic) => registry.find(topic) !== undefined || membersOfUser(topic).length > 0,
    onMessage(message) {
      for (const member of membersOfUser(message.topic)) member.recheckPermissions()
      const topic = registry.find(message.topic)
      if (!topic) return
      if (message.event === ACCESS_CHANGED) {
        // Runs before the event is sent, so that the event is held back until the permissions are checked.
        for (const member of [...topic.members]) member.recheckPermissions()
      }
      topic.broadcast(message)
    },
    onEnded(kind, id) {
      for (const member of registry.findMembers(kind, id)) member.endSession()
    },
    /**
     * Makes every channel join again (`phx_error`; the client joins again after a second). The join waits for the
     * listener. When the join succeeds, the app fetches what it may have missed. Closing the sockets would have the
     * same effect, but every client would also have to open a new connection.
     */
    onMessagesLost() {
      for (const member of registry.allMembers()) member.forceRejoin()
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
