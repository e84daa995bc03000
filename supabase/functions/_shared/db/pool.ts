import postgres from 'postgres'
import { env } from '../env.ts'
import { DatabaseUnavailableError } from './errors.ts'
import type { Sql } from './sql.ts'
import { connectWithTls } from './tls-socket.ts'

/** A database connection, used by one transaction at a time. */
export type Connection = Sql

/** How long a call waits for a free connection. */
const acquireTimeoutMs = 5000

/**
 * Returns the URL for the driver, whether it is the URL of a transaction pooler, and the server's address if TLS is
 * used. A pooler may run each transaction on a different server connection, so prepared statements and session settings
 * are lost. Supabase's pooler listens on port 6543; other poolers are marked with `?pgbouncer=true`. TLS is used unless
 * `sslmode` is missing or `disable`.
 */
function parseDatabaseUrl(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const pooled = url.port === '6543' || url.searchParams.get('pgbouncer') === 'true'
  // PostgreSQL does not know this setting and would refuse the connection.
  url.searchParams.delete('pgbouncer')
  const sslMode = url.searchParams.get('sslmode') ?? 'disable'
  url.searchParams.delete('sslmode')
  const tls = sslMode === 'disable' ? null : { hostname: url.hostname, port: Number(url.port || 5432) }
  return { url: url.toString(), pooled, tls }
}

const { url, pooled, tls } = parseDatabaseUrl(env.databaseUrl)

/**
 * Connections of the login role `gateway`, opened when first used. Each is a separate client with one connection,
 * so that a whole transaction from `begin` to `commit` is pipelined in one round trip. The driver's own transactions
 * take three round trips.
 */
const connections: Connection[] = Array.from({ length: env.databasePoolSize }, () =>
  postgres(url, {
    max: 1,
    ...(tls ? { socket: () => connectWithTls(tls.hostname, tls.port, env.databaseCa) } : {}),
    prepare: !pooled,
    connect_timeout: 5,
    // Seconds after which an unused connection is closed.
    idle_timeout: 60,
    // The driver must never close a connection in the middle of a transaction.
    max_lifetime: null,
    // Seconds between connection attempts. Short, because a caller waits for each attempt.
    backoff: () => 0.2,
    // Array types are not needed: no parameter and no result is an array.
    fetch_types: false,
    onnotice: () => {},
    // Timeouts are settings of the role, because a pooler rejects them as connection parameters.
    connection: { application_name: 'ovation-api' },
  }),
)

/** The free connections. The one used last is taken first, so that under low load the others can go idle and close. */
const freeConnections = [...connections]
/** Callers that are waiting for a connection, in order. */
const waiters = new Set<{ isVisitor: boolean; accept: (connection: Connection) => void }>()

/** Visitors use at most half of the connections (rounded up), so that their slow queries do not keep users waiting. */
const maxVisitorConnections = Math.ceil(connections.length / 2)
let visitorConnections = 0

const mayConnect = (isVisitor: boolean) => !isVisitor || visitorConnections < maxVisitorConnections

/**
 * Returns a free connection, waiting for one if necessary. Pass it to `releaseConnection` afterwards.
 *
 * @param isVisitor whether the caller is not signed in
 * @throws DatabaseUnavailableError if none becomes free in time
 */
export function acquireConnection(isVisitor: boolean): Connection | Promise<Connection> {
  const connection = mayConnect(isVisitor) ? freeConnections.pop() : undefined
  if (!connection) return waitForConnection(isVisitor)
  if (isVisitor) visitorConnections += 1
  return connection
}

function waitForConnection(isVisitor: boolean): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const waiter = {
      isVisitor,
      accept: (connection: Connection) => {
        clearTimeout(timer)
        resolve(connection)
      },
    }
    const timer = setTimeout(() => {
      waiters.delete(waiter)
      reject(new DatabaseUnavailableError(`No database connection became free within ${acquireTimeoutMs} ms`))
    }, acquireTimeoutMs)
    waiters.add(waiter)
  })
}

/** Gives a connection back to the pool. Every statement sent on it must have completed. */
export function releaseConnection(connection: Connection, isVisitor: boolean): void {
  if (isVisitor) visitorConnections -= 1
  for (const waiter of waiters) {
    if (!mayConnect(waiter.isVisitor)) continue
    waiters.delete(waiter)
    if (waiter.isVisitor) visitorConnections += 1
    waiter.accept(connection)
    return
  }
  freeConnections.push(connection)
}

/** Returns the size of the pool, how many connections are in use, and how many callers are waiting for one. */
export const poolUse = () => ({
  size: connections.length,
  inUse: connections.length - freeConnections.length,
  waiting: waiters.size,
})
