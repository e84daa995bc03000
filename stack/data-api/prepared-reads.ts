import type { PostgresConnection } from '@supabase/lite/postgres'
import type { Authenticator } from '../shared/authenticator.ts'
import { isPreviousPublishableKey, type ServiceKeys } from '../shared/service-keys.ts'
import type { Query } from './query-limits.ts'
import type { Auth } from './request.ts'

// Runs repeated reads without lite. See docs/decisions/047-sign-in-data-api-and-image-costs.md.

/** What lite ran for a request. */
export interface Recording {
  /** The query, after the limits have been applied. */
  query?: Query
  /** The statements that lite sent, except the one that sets the role. */
  statements: { sql: string; parameters: readonly unknown[] }[]
  /** The rows of the last statement, as JSON. */
  rows: string[]
}

/** A read that lite has translated to SQL. The response is the same for every caller, apart from the rows. */
export interface PreparedRead {
  sql: string
  parameters: readonly unknown[]
  offset: number
  /** The response headers, except those that depend on the rows. */
  headers: [string, string][]
}

/** A read that can run without lite, and its caller. */
export interface SimpleRead {
  /** Reads with the same key have the same SQL. */
  key: string
  auth: Auth & { role: string }
  /** Null until the read has been recorded. */
  prepared: PreparedRead | null
}

type Driver = PostgresConnection['driver']

interface ReadConnection {
  driver: Driver
  /** The statements prepared on this connection. They use memory until the connection closes. */
  statements: Set<string>
}

const maxReads = 500
const maxSeenKeys = 2000
const maxKeyLength = 2000
const maxSqlLength = 20_000
const maxStatementsPerConnection = 50
/** The largest response that is recorded. For larger ones, the translation time is negligible. */
const maxRecordedBytes = 200_000

const rowHeaders = ['content-length', 'content-range']

/**
 * The reads that lite has translated. Without this cache, lite would parse, check and translate every request, and send
 * several statements one after the other. A simple read is recorded when it is requested for the second time. After
 * that, it runs as a prepared statement, and its whole transaction takes one round trip.
 */
export class PreparedReads {
  readonly #reads = new Map<string, PreparedRead>()
  /** The keys of reads that have been requested. A read is recorded only when it is requested again. */
  readonly #seenKeys = new Set<string>()
  readonly #freeConnections = new Map<string, ReadConnection[]>()
  #schemaVersion = 0

  constructor(
    private readonly connect: () => Driver,
    private readonly authenticator: Authenticator,
    private readonly keys: ServiceKeys,
  ) {}

  /** Forgets all reads. Called when the schema has changed. */
  clear(): void {
    this.#schemaVersion++
    this.#reads.clear()
  }

  /** Returns the read that a request asks for, or null if the request is not a simple read. */
  async find(request: Request): Promise<SimpleRead | null> {
    const { method, headers } = request
    const { pathname, search } = new URL(request.url)
    if (method !== 'GET' || !/^\/rest\/v1\/\w+$/.test(pathname) || search.length > maxKeyLength) return null
    if (!/^(\*\/\*|application\/json)?$/.test(headers.get('accept') ?? '')) return null
    if (['prefer', 'range', 'content-profile'].some((name) => headers.has(name))) return null
    const auth = await this.#authenticate(headers)
    if (!auth) return null
    const key = JSON.stringify([pathname, search, headers.get('accept-profile'), auth.role])
    const prepared = this.#reads.get(key) ?? null
    if (prepared) {
      // Moves the read to the end, so the least recently used one comes first.
      this.#reads.delete(key)
      this.#reads.set(key, prepared)
    }
    return { key, auth, prepared }
  }

  /** Returns the caller if the request has a publishable key and either no token or a user's valid token. */
  async #authenticate(headers: Headers): Promise<SimpleRead['auth'] | null> {
    const apiKey = headers.get('apikey') ?? ''
    if (apiKey !== this.keys.publishableKey && !isPreviousPublishableKey(apiKey, this.keys)) return null
    const authorization = headers.get('authorization')
    if (authorization === null || authorization === `Bearer ${apiKey}`) {
      return { uid: null, role: 'anon', jwt: { role: 'anon' } }
    }
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization)?.[1]
    const check = token ? await this.authenticator.check(token) : null
    if (!check || 'rejection' in check) return null
    const { role, userId, claims } = check.identity
    const isFromFuture = typeof claims.iat === 'number' && claims.iat > Date.now() / 1000
    if (role !== 'authenticated' || userId === null || isFromFuture) return null
    return { uid: userId, role, jwt: claims }
  }

  /**
   * Returns a recording for lite to fill in and a function that prepares the read from it. Returns null the first time
   * a read is requested.
   */
  record({
    key,
  }: SimpleRead): { recording: Recording; save: (response: Response, body: ArrayBuffer) => void } | null {
    if (!this.#seenKeys.has(key)) {
      if (this.#seenKeys.size >= maxSeenKeys) this.#seenKeys.clear()
      this.#seenKeys.add(key)
      return null
    }
    const recording: Recording = { statements: [], rows: [] }
    const version = this.#schemaVersion
    const save = (response: Response, body: ArrayBuffer) => {
      const read = prepare(recording, response, body)
      if (!read || version !== this.#schemaVersion) return
      this.#reads.set(key, read)
      const [oldest] = this.#reads.keys()
      if (this.#reads.size > maxReads && oldest !== undefined) this.#reads.delete(oldest)
    }
    return { recording, save }
  }

  /** Forgets a read that has failed. */
  forget(key: string): void {
    this.#reads.delete(key)
  }

  /**
   * Runs a read in one round trip and returns the response that lite would return.
   *
   * @param context the statement that sets the role and the claims
   * @param onBackend called with the process ID of the backend before the read ends
   * @throws the first error that a statement raised
   */
  async run(
    { sql, parameters, offset, headers }: PreparedRead,
    role: string,
    context: { sql: string; parameters: readonly string[] },
    onBackend: (backend: number) => void,
  ): Promise<Response> {
    const connection = this.#acquire(role)
    const { driver, statements } = connection
    const send = <Row extends object>(text: string, values: readonly unknown[] = []) => {
      statements.add(text)
      return driver.unsafe<Row[]>(text, values as never[], { prepare: true }).execute()
    }
    const settled = await Promise.allSettled([
      send('begin'),
      send<{ backend: number }>(context.sql, context.parameters).then(
        ([row]) => row && onBackend(row.backend),
      ),
      send<{ json: string }>(sql, parameters),
      send<{ role: string }>(`select current_setting('role') as role`),
      send('commit'),
    ]).finally(() => this.#release(role, connection))
    for (const result of settled) if (result.status === 'rejected') throw result.reason
    const [, , rows, check] = settled
    if (rows.status === 'rejected' || check.status === 'rejected') throw new Error('unreachable')
    // If the connection is lost after `begin`, the driver sends the remaining statements on a new one, without the
    // role.
    if (check.value[0]?.role !== role) throw new Error('the transaction was lost')
    const responseHeaders = new Headers(headers)
    responseHeaders.set('content-range', contentRange(offset, rows.value.length))
    return new Response(`[${rows.value.map(({ json }) => json).join(',')}]`, { headers: responseHeaders })
  }

  /** Each role has its own connections, because PostgreSQL plans a statement again if the role has changed. */
  #acquire(role: string): ReadConnection {
    return this.#freeConnections.get(role)?.pop() ?? { driver: this.connect(), statements: new Set() }
  }

  #release(role: string, connection: ReadConnection): void {
    if (connection.statements.size > maxStatementsPerConnection) {
      void connection.driver.end({ timeout: 1 }).catch(() => undefined)
      return
    }
    const free = this.#freeConnections.get(role) ?? []
    free.push(connection)
    this.#freeConnections.set(role, free)
  }

  async end(): Promise<void> {
    const connections = [...this.#freeConnections.values()].flat()
    await Promise.all(connections.map(({ driver }) => driver.end({ timeout: 1 })))
  }
}

const contentRange = (offset: number, rows: number): string =>
  rows === 0 ? '*/*' : `${offset}-${offset + rows - 1}/*`

/**
 * Returns the prepared form of a recorded read, or null if it cannot be prepared, for example because its rows do not
 * serialize to the response that lite sent.
 */
function prepare(
  { query, statements, rows }: Recording,
  response: Response,
  body: ArrayBuffer,
): PreparedRead | null {
  const [statement] = statements
  if (!query || !statement || statements.length !== 1 || rows.length === 0) return null
  if (response.status !== 200 || body.byteLength > maxRecordedBytes || statement.sql.length > maxSqlLength)
    return null
  const offset = query.offset ?? 0
  const isSame =
    hasPlainColumns(query) &&
    response.headers.get('content-range') === contentRange(offset, rows.length) &&
    JSON.stringify(JSON.parse(`[${rows.join(',')}]`)) === new TextDecoder().decode(body)
  if (!isSame) return null
  const headers = [...response.headers].filter(([name]) => !rowHeaders.includes(name))
  return { ...statement, offset, headers }
}

/**
 * Returns whether a query selects only plain columns and embedded tables. When a query selects anything else, lite may
 * change the values after reading them.
 */
function hasPlainColumns({ select = [] }: Query): boolean {
  return select.every((item) => {
    if (typeof item === 'string') return true
    return Object.values(item).every((value) => {
      if (typeof value !== 'object' || value === null) return false
      if ('spread' in value) return false
      if ('select' in value) return hasPlainColumns(value as Query)
      return Object.keys(value).every((name) => name === 'column')
    })
  })
}
