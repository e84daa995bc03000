import postgres from 'postgres'
import { env } from '../env.ts'
import { unavailable } from '../http/errors.ts'

/** One connection, used by one transaction at a time; its tag sends values as parameters, never as text. */
export type Lane = postgres.Sql

/** Milliseconds that a call waits for a connection while all are taken. */
const patience = 5000

/**
 * A pooler that hands each transaction another connection loses prepared statements and settings of the connection:
 * Supabase's listens on 6543, and others say so themselves with `?pgbouncer=true`.
 */
function readAddress(address: string) {
  const url = new URL(address)
  const pooled = url.port === '6543' || url.searchParams.get('pgbouncer') === 'true'
  // Not a setting that PostgreSQL knows: it would refuse the connection.
  url.searchParams.delete('pgbouncer')
  return { url: url.toString(), pooled }
}

const { url, pooled } = readAddress(env.databaseUrl)

/**
 * Connections of the login role `gateway`, made when they are first needed. Each is a client of its own: so a whole
 * transaction, from its `begin` to its `commit`, can be sent at once and costs one round trip, where the library's
 * own transactions wait three times.
 */
const lanes: Lane[] = Array.from({ length: env.databasePoolSize }, () =>
  postgres(url, {
    max: 1,
    prepare: !pooled,
    connect_timeout: 5,
    // Seconds after which a connection that nobody used is closed.
    idle_timeout: 60,
    // A connection is never given up while a transaction is on its way.
    max_lifetime: null,
    // Seconds until a lost database is tried again: soon, as each try has somebody who waits for it.
    backoff: () => 0.2,
    // Every parameter is cast in its statement, and answers are text, numbers or booleans.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: 'ovation-api',
      // A pooler takes no settings for a connection that it shares.
      ...(pooled ? {} : { statement_timeout: 15_000 }),
    },
  }),
)

/** The one used last is on top: the fewer are busy, the fewer are kept warm. */
const free = [...lanes]
const waiting = new Set<(lane: Lane) => void>()

/**
 * A connection of one's own until `giveLane`; waits while all are taken.
 *
 * @throws ApiError 503 when none is given back in time
 */
export function takeLane(): Lane | Promise<Lane> {
  return free.pop() ?? waitForLane()
}

function waitForLane(): Promise<Lane> {
  return new Promise((resolve, reject) => {
    const take = (lane: Lane) => {
      clearTimeout(timer)
      resolve(lane)
    }
    const timer = setTimeout(() => {
      waiting.delete(take)
      reject(unavailable(new Error('All connections to the database were taken for too long')))
    }, patience)
    waiting.add(take)
  })
}

/** Hands a connection on, once every statement sent on it has been answered. */
export function giveLane(lane: Lane): void {
  const [next] = waiting
  if (!next) {
    free.push(lane)
    return
  }
  waiting.delete(next)
  next(lane)
}

/** The tag for pieces of statements; what is made with it never runs by itself. */
export const pieces: Lane = postgres({ max: 1, fetch_types: false })
