/**
 * Asks the policies on `realtime.messages` who may read and write a private topic, as Supabase does:
 * by trying it on a row that is never kept.
 */
import postgres from 'postgres'
import type { Identity } from './auth.ts'
import type { Extension } from './types.ts'

const CONNECTIONS = 4
const STATEMENT_TIMEOUT_MS = 5_000
const RETRY_AFTER_MS = 20

type Query = postgres.TransactionSql

/** Ends a transaction that must leave nothing behind, carrying what it found out. */
class Rollback<T> extends Error {
  constructor(readonly found: T) {
    super('rolled back on purpose')
  }
}

/** Tries rights over connections of its own, so that a slow policy never delays a delivery. */
export class Rights {
  private readonly sql: postgres.Sql

  /** @param databaseUrl of a role above the policies: it inserts the rows that callers then try to see */
  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, {
      max: CONNECTIONS,
      connect_timeout: 5,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'ovation realtime rights', statement_timeout: STATEMENT_TIMEOUT_MS },
    })
  }

  /**
   * Which of `extensions` the caller may read on `topic`: one row for each is inserted and looked for
   * as the caller. A policy that fails counts as a refusal. Throws when the database cannot be asked.
   */
  async readable(identity: Identity, topic: string, extensions: Extension[]): Promise<Set<Extension>> {
    const rows = extensions.map((extension) => ({ id: crypto.randomUUID(), topic, extension }))
    const ids = `{${rows.map((row) => row.id).join(',')}}`
    try {
      const visible = await this.tryOut(async (tx) => {
        const [, , found] = await Promise.all([
          tx`insert into realtime.messages ${tx(rows)}`,
          become(tx, identity, topic),
          tx<{ extension: string }[]>`select extension from realtime.messages where id = any(${ids}::uuid[])`,
        ])
        return found.map((row) => row.extension)
      })
      return new Set(extensions.filter((extension) => visible.includes(extension)))
    } catch (error) {
      if (error instanceof postgres.PostgresError && !isUnavailable(error)) return new Set()
      throw error
    }
  }

  /**
   * Whether the caller may send `extension` on `topic`: inserts a row as the caller. A policy that
   * fails counts as a refusal. Throws when the database cannot be asked.
   */
  async writable(identity: Identity, topic: string, extension: Extension): Promise<boolean> {
    try {
      return await this.tryOut(async (tx) => {
        await Promise.all([
          become(tx, identity, topic),
          tx`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`,
        ])
        return true
      })
    } catch (error) {
      if (error instanceof postgres.PostgresError && !isUnavailable(error)) return false
      throw error
    }
  }

  /** Whether the database answers. Throws when it does not. */
  async ping(): Promise<void> {
    await this.sql`select 1`
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.sql.end({ timeout: 1 })
  }

  /**
   * Runs `attempt` in a transaction that is always rolled back, which makes it safe to try again when a
   * connection turns out to be gone.
   */
  private async tryOut<T>(attempt: (tx: Query) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.sql.begin(async (tx) => {
          throw new Rollback(await attempt(tx))
        })
      } catch (error) {
        if (error instanceof Rollback) return error.found as T
        if (tries > CONNECTIONS || !isConnectionLost(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
      }
    }
  }
}

/** Makes the rest of the transaction run as the caller, with the settings policies read. */
function become(tx: Query, identity: Identity, topic: string): postgres.PendingQuery<postgres.Row[]> {
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

/** Errors that say nothing about rights: the server is going away or out of room, the query ran too long. */
function isUnavailable(error: postgres.PostgresError): boolean {
  return /^(08|40|53|57|58|XX)/.test(error.code)
}

/** The connection ended before or while it was asked: closed by the server (57P01) or under the client. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '57P01' || error.code === 'CONNECTION_CLOSED' || error.code === 'ECONNRESET'
}
