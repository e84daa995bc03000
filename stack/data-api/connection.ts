import { setPriority } from 'node:os'
import type { PostgresConnection } from '@supabase/lite/postgres'
import { Authenticator, apiRoles } from '../shared/authenticator.ts'
import { badRequest, rateLimited, serviceUnavailable } from '../shared/error-responses.ts'
import { connectToDatabase } from '../shared/lite-connection.ts'
import type { Log } from '../shared/log.ts'
import { exitIfStuck } from '../shared/process-setup.ts'
import { type Admission, user, visitor } from './admission.ts'
import type { DataApiConfig } from './config.ts'
import { readRowsAsJson } from './json-rows.ts'
import { fillMissingColumns, toPostgrestError, writeArrayLiterals } from './postgrest-compatibility.ts'
import { type PreparedRead, PreparedReads, type SimpleRead } from './prepared-reads.ts'
import { limitQuery, type Query } from './query-limits.ts'
import { type Auth, currentRequest, type DataApiRequest } from './request.ts'
import { exposeSchema, reloadOnNotify } from './schema-cache.ts'

/** The nice value of the Data API process and of the PostgreSQL backends that serve its connections. */
export const lowPriority = 10

interface QueryContext {
  auth?: Auth | null
}

/** The methods of lite's connection that we override. lite calls the first two for every request, in this order. */
interface Hooks {
  onPostgrestAST: (query: Query, context: QueryContext) => Promise<Query>
  applyJwtSessionContext: (transaction: Transaction, context: QueryContext) => Promise<void>
  /** Called with every database error. */
  normalizeDbError: (error: unknown) => unknown
}

interface Transaction {
  executeQuery: (query: object) => Promise<{ rows: { backend: number }[] }>
}

export interface DataApiConnection {
  connection: PostgresConnection
  reads: PreparedReads
  cancel: (request: DataApiRequest) => Promise<void>
  /**
   * Runs a prepared read once it is admitted.
   *
   * @returns the response, which is an error if the request may not run
   * @throws the database's error
   */
  runPrepared: (read: SimpleRead & { prepared: PreparedRead }, request: DataApiRequest) => Promise<Response>
  end: () => Promise<void>
}

/**
 * Creates the Data API's database connection. It adds features of PostgREST that lite lacks, and protects the rest of
 * the platform:
 *
 * - a query waits until it is admitted, and its cost is limited (see admission.ts and query-limits.ts),
 * - it runs with the `statement_timeout` of the caller's role, as in PostgREST,
 * - it runs only if `private.check_data_api_request` allows it, as with PostgREST's `db-pre-request`,
 * - it can be cancelled,
 * - it sees only the `public` schema, and `notify pgrst` reloads that schema (see schema-cache.ts),
 * - PostgreSQL converts rows to JSON (see json-rows.ts),
 * - repeated reads run without lite (see prepared-reads.ts),
 * - database errors have PostgREST's codes (see postgrest-compatibility.ts).
 *
 * @param maxRows the largest number of rows in a response
 */
export async function connectDataApi(
  config: DataApiConfig,
  connections: number,
  maxRows: number,
  admission: Admission,
  log: Log,
): Promise<DataApiConnection> {
  const connection = connectToDatabase(config.databaseUrl, connections)
  const { driver } = connection
  readRowsAsJson(connection)
  // Prepared reads do not call `reserve`, so their idle connections may be closed. `max_lifetime` remains off, because
  // a connection may reach it during a transaction.
  const connectReader = () => connectToDatabase(config.databaseUrl, 1, { idle_timeout: 60 }).driver
  const reads = new PreparedReads(connectReader, new Authenticator(config), config)
  const readSchema = exposeSchema(connection, 'public')
  let facts: Awaited<ReturnType<typeof readSchemaFacts>>
  const reload = async (): Promise<void> => {
    facts = await readSchemaFacts(driver)
    await readSchema()
    reads.clear()
  }
  await reloadOnNotify(driver, reload, log)
  await reload()
  const isIndexed = (table: string, column: string) => facts.indexed.has(`${table}.${column}`)

  const hooks = connection as unknown as Hooks
  const { onPostgrestAST, applyJwtSessionContext, normalizeDbError } = hooks
  if ([onPostgrestAST, applyJwtSessionContext, normalizeDbError].some((hook) => typeof hook !== 'function')) {
    throw new Error('this version of @supabase/lite handles queries differently: see connection.ts')
  }

  /** Waits until a request may run. Returns null, or the error response if the request is rejected. */
  async function admit(request: DataApiRequest, auth: Auth | null | undefined): Promise<Response | null> {
    const role = auth?.role ?? 'anon'
    if (role === 'service_role') return null
    const caller = role === 'anon' ? visitor(request.network) : user(String(auth?.uid), auth?.jwt)
    const leave = await admission.enter(caller, request.signal)
    if (typeof leave === 'string') return refusals[leave]()
    const onEnd = exitIfStuck(log)
    request.leave = () => {
      onEnd()
      leave()
    }
    return null
  }

  function setBackend(request: DataApiRequest | undefined, backend: number | undefined): void {
    if (backend !== undefined) lowerPriority(backend)
    if (request) request.backend = backend
  }

  hooks.normalizeDbError = toPostgrestError
  hooks.onPostgrestAST = async (query, context) => {
    const request = currentRequest.getStore()
    if (!request) return await onPostgrestAST.call(connection, query, context)
    const refusal = await admit(request, context.auth)
    if (refusal) throw reject(request, refusal)
    const isVisitor = (context.auth?.role ?? 'anon') === 'anon'
    const problem = limitQuery(query, { maxRows, isVisitor, isIndexed })
    if (problem) throw reject(request, badRequest(problem))
    fillMissingColumns(query)
    writeArrayLiterals(query, facts.arrays)
    if (request.recording) request.recording.query = query
    return await onPostgrestAST.call(connection, query, context)
  }
  // Sets everything in one round trip instead of the five that lite needs.
  hooks.applyJwtSessionContext = async (transaction, { auth }) => {
    const request = currentRequest.getStore()
    const { rows } = await transaction.executeQuery({
      ...contextStatement(facts.timeouts, auth, request),
      query: { kind: 'RawNode', sqlFragments: [], parameters: [] },
      queryId: { queryId: 'context' },
    })
    setBackend(request, rows[0]?.backend)
    // The client disconnected before the backend was known, so `cancel` had no effect.
    if (request?.signal.aborted) throw new Error('the client has disconnected')
  }
  const cancel = async ({ id, backend }: DataApiRequest): Promise<void> => {
    if (backend === undefined) return
    await driver`
      select pg_cancel_backend(pid) from pg_stat_activity where pid = ${backend} and application_name = ${id}`
  }
  return {
    connection,
    reads,
    cancel,
    async runPrepared({ auth, prepared }, request) {
      const refusal = await admit(request, auth)
      if (refusal) return refusal
      const context = contextStatement(facts.timeouts, auth, request)
      return await reads.run(prepared, auth.role, context, (backend) => {
        setBackend(request, backend)
        if (request.signal.aborted) cancel(request).catch(() => undefined)
      })
    },
    async end() {
      await Promise.all([driver.end({ timeout: 1 }), reads.end()])
    },
  }
}

/** Returns the statement that sets the role, the claims and the timeout of a transaction and checks the request. */
function contextStatement(
  timeouts: Map<string, string>,
  auth: Auth | null | undefined,
  request: DataApiRequest | undefined,
) {
  const role = auth?.role ?? 'anon'
  const settings: Record<string, string> = {
    role,
    'request.jwt.claim.sub': String(auth?.uid ?? ''),
    'request.jwt.claim.role': role,
    'request.jwt.claims': auth?.jwt ? JSON.stringify(auth.jwt) : '',
    application_name: request?.id ?? '',
    statement_timeout: timeouts.get(role) ?? '',
  }
  const entries = Object.entries(settings).filter(([, value]) => value !== '')
  const calls = entries.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`)
  // The columns are computed in this order, so the check sees the settings.
  const sql = `select pg_backend_pid() as backend, ${calls.join(', ')}, private.check_data_api_request()`
  return { sql, parameters: entries.flat() }
}

const loweredProcesses = new Set<number>()

/** Lowers the priority of a connection's backend, once. */
function lowerPriority(processId: number): void {
  if (loweredProcesses.has(processId)) return
  loweredProcesses.add(processId)
  try {
    setPriority(processId, lowPriority)
  } catch {
    // The connection is already closed.
  }
}

const refusals = {
  rate_limited: rateLimited,
  busy: () => serviceUnavailable('The Data API is busy. Please try again.'),
}

/** Records the response to a request and returns the error to throw, which stops lite from handling the request. */
function reject(request: DataApiRequest, response: Response): Error {
  request.rejection = response
  return new Error('the request was rejected')
}

/** Reads what the hooks need to know about the roles and the exposed tables. */
async function readSchemaFacts(driver: PostgresConnection['driver']) {
  const [timeouts, indexed, arrays] = await Promise.all([
    readTimeouts(driver),
    readIndexedColumns(driver),
    readArrayColumns(driver),
  ])
  return { timeouts, indexed, arrays }
}

/** Reads the roles' timeouts (`alter role … set statement_timeout`). PostgreSQL applies them only at login. */
async function readTimeouts(driver: PostgresConnection['driver']): Promise<Map<string, string>> {
  const rows = await driver<{ role: string; timeout: string }[]>`
    select rolname as role, split_part(setting, '=', 2) as timeout
    from pg_roles, unnest(rolconfig) setting
    where rolname = any(${[...apiRoles]}) and setting like 'statement_timeout=%'`
  return new Map(rows.map(({ role, timeout }) => [role, timeout]))
}

/** Reads which columns of the exposed tables are part of an index, as `table.column`. */
async function readIndexedColumns(driver: PostgresConnection['driver']): Promise<Set<string>> {
  const rows = await driver<{ column: string }[]>`
    select distinct c.relname || '.' || a.attname as column
    from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)`
  return new Set(rows.map(({ column }) => column))
}

/** Reads which columns of the exposed tables and views are arrays, as `table.column`. */
async function readArrayColumns(driver: PostgresConnection['driver']): Promise<Set<string>> {
  const rows = await driver<{ column: string }[]>`
    select c.relname || '.' || a.attname as column
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and t.typcategory = 'A'`
  return new Set(rows.map(({ column }) => column))
}
