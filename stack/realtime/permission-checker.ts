/**
 * Checks who may read and write a private topic, according to the policies on `realtime.messages`, and reads the
 * messages that a caller may read. As in Supabase, a check tries to read or insert a row in a transaction that is
 * rolled back.
 */
import postgres from 'postgres'
import type { Identity } from '../shared/authenticator.ts'
import type { ReplayRequest } from './join.ts'
import { MESSAGE_COLUMNS, type MessageRow, type StoredMessage, toStoredMessage } from './stored-message.ts'
import type { Extension } from './types.ts'

const CONNECTIONS = 4
const STATEMENT_TIMEOUT_MS = 5_000
const RETRY_AFTER_MS = 20
/** The maximum number of bytes that one join replays: the size limit for a broadcast with the secret key. */
const MAX_REPLAYED_BYTES = 3_000_000
/** How many of a topic's newest messages a replay checks against the policies. Limits the duration of a join. */
const MAX_REPLAY_CANDIDATES = 500

type Query = postgres.TransactionSql

/** Thrown on purpose to roll a transaction back. Contains the transaction's result. */
class Rollback<T> extends Error {
  constructor(readonly result: T) {
    super('rolled back on purpose')
  }
}

/** Checks permissions on separate connections, so that a slow policy never delays the delivery of messages. */
export class PermissionChecker {
  private readonly sql: postgres.Sql
  /** The newest check or replay of each account, until it settles. The account's next one waits for it. */
  private readonly lastChecks = new Map<string, Promise<unknown>>()

  /**
   * @param databaseUrl the URL of a role that bypasses the policies, so that it can insert the rows that a check of
   *   read permissions needs
   */
  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, {
      max: CONNECTIONS,
      connect_timeout: 5,
      fetch_types: false,
      onnotice: () => {},
      connection: {
        application_name: 'ovation realtime permissions',
        statement_timeout: STATEMENT_TIMEOUT_MS,
      },
    })
  }

  /**
   * Returns which of `extensions` the caller may read on `topic`: inserts a row for each, and selects them as the
   * caller. A policy that throws an error denies access.
   *
   * @throws Error when the database is not available
   */
  async readableExtensions(
    identity: Identity,
    topic: string,
    extensions: Extension[],
  ): Promise<Set<Extension>> {
    const rows = extensions.map((extension) => ({ id: crypto.randomUUID(), topic, extension }))
    const ids = `{${rows.map((row) => row.id).join(',')}}`
    try {
      const visible = await this.runInTurn(identity, async (tx) => {
        const [, , visibleRows] = await Promise.all([
          tx`insert into realtime.messages ${tx(rows)}`,
          switchToCaller(tx, identity, topic),
          tx<{ extension: string }[]>`select extension from realtime.messages where id = any(${ids}::uuid[])`,
        ])
        return visibleRows.map((row) => row.extension)
      })
      return new Set(extensions.filter((extension) => visible.includes(extension)))
    } catch (error) {
      if (error instanceof postgres.PostgresError && !isUnavailable(error)) return new Set()
      throw error
    }
  }

  /**
   * Returns whether the caller may send `extension` on `topic`: inserts a row as the caller. A policy that throws an
   * error denies access.
   *
   * @throws Error when the database is not available
   */
  async canWrite(identity: Identity, topic: string, extension: Extension): Promise<boolean> {
    try {
      return await this.runInTurn(identity, async (tx) => {
        await Promise.all([
          switchToCaller(tx, identity, topic),
          tx`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`,
        ])
        return true
      })
    } catch (error) {
      if (error instanceof postgres.PostgresError && !isUnavailable(error)) return false
      throw error
    }
  }

  /**
   * Returns a topic's newest messages that the caller may select, oldest first. Leaves out messages beyond
   * MAX_REPLAY_CANDIDATES or MAX_REPLAYED_BYTES, and messages older than 72 hours, which are about to be deleted.
   *
   * @throws Error when the database is not available, or a policy throws an error
   */
  async newestMessages(identity: Identity, topic: string, request: ReplayRequest): Promise<StoredMessage[]> {
    const rows = await this.runInTurn(identity, async (tx) => {
      const candidates = await tx<{ id: string }[]>`
        select id from realtime.messages
        where topic = ${topic} and extension = 'broadcast' and private and event is not null
          and inserted_at >= greatest(
            to_timestamp(${request.sinceMs}::float8 / 1000)::timestamp, localtimestamp - interval '72 hours')
        order by inserted_at desc, ctid desc
        limit ${MAX_REPLAY_CANDIDATES}`
      if (candidates.length === 0) return []
      const ids = `{${candidates.map(({ id }) => id).join(',')}}`
      // The payloads may be large, so they are read only after the inner `limit` has been applied.
      const [, newest] = await Promise.all([
        switchToCaller(tx, identity, topic),
        tx<MessageRow[]>`
          select id, topic, event, payload, bytes
          from (
            select ${tx.unsafe(MESSAGE_COLUMNS)}, row_number() over newest_first as position,
              sum(coalesce(octet_length(newest.payload::text), 0) + coalesce(octet_length(binary_payload), 0))
                over newest_first as total_bytes
            from (
              select *, ctid as place from realtime.messages
              where id = any(${ids}::uuid[])
              order by inserted_at desc, ctid desc
              limit ${request.limit}
            ) newest
            window newest_first as (order by inserted_at desc, place desc)
          ) sized
          where total_bytes <= ${MAX_REPLAYED_BYTES}
          order by position desc`,
      ])
      return newest
    })
    return rows.map(toStoredMessage)
  }

  /** Checks that the database responds. @throws Error when the database is not available */
  async ping(): Promise<void> {
    await this.sql`select 1`
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 1 })
  }

  /**
   * Runs an account's checks and replays one after another. When an account's access may have changed, all its channels
   * request a check at the same time. Without a queue, these checks would use all connections and delay the joins of
   * other accounts.
   */
  private async runInTurn<T>({ userId }: Identity, work: (tx: Query) => Promise<T>): Promise<T> {
    if (userId === null) return await this.inRolledBackTransaction(work)
    const previous = this.lastChecks.get(userId)
    const check = (previous ?? Promise.resolve()).then(
      () => this.inRolledBackTransaction(work),
      () => this.inRolledBackTransaction(work),
    )
    this.lastChecks.set(userId, check)
    try {
      return await check
    } finally {
      if (this.lastChecks.get(userId) === check) this.lastChecks.delete(userId)
    }
  }

  /**
   * Runs `work` in a transaction that is always rolled back, which makes it safe to retry when the connection is lost.
   */
  private async inRolledBackTransaction<T>(work: (tx: Query) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.sql.begin(async (tx) => {
          throw new Rollback(await work(tx))
        })
      } catch (error) {
        if (error instanceof Rollback) return error.result as T
        if (attempt > CONNECTIONS || !isConnectionLost(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
      }
    }
  }
}

/** Switches the transaction to the caller's role, and sets the settings that policies read. */
function switchToCaller(tx: Query, identity: Identity, topic: string): postgres.PendingQuery<postgres.Row[]> {
  const { claims, role, userId } = identity
  const email = typeof claims.email === 'string' ? claims.email : ''
  return tx`select
    set_config('role', ${role}, true),
    set_config('realtime.topic', ${topic}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
    set_config('request.jwt.claim.sub', ${userId ?? ''}, true),
    set_config('request.jwt.claim.role', ${role}, true),
    set_config('request.jwt.claim.email', ${email}, true),
    set_config('request.headers', '{}', true)`
}

/** Returns whether an error, such as a timeout, a shutdown or a lack of resources, says nothing about permissions. */
function isUnavailable(error: postgres.PostgresError): boolean {
  return /^(08|40|53|57|58|XX)/.test(error.code)
}

/** Returns whether the connection was lost: terminated by the server (57P01), or broken. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '57P01' || error.code === 'CONNECTION_CLOSED' || error.code === 'ECONNRESET'
}
