import { AsyncLocalStorage } from 'node:async_hooks'
import { setPriority } from 'node:os'
import type { PostgresConnection } from '@supabase/lite/postgres'
import { connectToDatabase } from '../lite/connection.ts'
import { badRequest, rateLimited, serviceUnavailable } from '../shared/error-responses.ts'
import type { Log } from '../shared/log.ts'
import { exitIfStuck } from '../shared/process-setup.ts'
import { type Admission, user, visitor } from './admission.ts'
import { readRowsAsJson } from './json-rows.ts'
import { fillMissingColumns, toPostgrestError, writeArrayLiterals } from './postgrest-compatibility.ts'
import { limitQuery, type Query } from './query-limits.ts'
import { exposeSchema, reloadOnNotify } from './schema-cache.ts'

/** The nice value of the Data API process and of the PostgreSQL backends that serve its connections. */
export const lowPriority = 10

/** A request in progress, and what the hooks below record about it. */
export interface DataApiRequest {
  signal: AbortSignal
  /** The network that the request comes from. */
  network: string
  /** The request's id in the logs. It also names the transaction, so that only this transaction can be canceled. */
  id: string
  /** The response, if a hook has rejected the request. */
  rejection?: Response
  /** Frees what the request holds in `Admission`. */
  leave?: () => void
  /** The process ID of the PostgreSQL backend while the query runs. */
  backend?: number
}

export const currentRequest = new AsyncLocalStorage<DataApiRequest>()

interface QueryContext {
  auth?: { uid?: string | null; role?: string; jwt?: unknown } | null
}

/** The methods of lite's connection that we override. lite calls them for every request, in this order. */
interface Hooks {
  onPostgrestAST: (query: Query, context: QueryContext) => Promise<Query>
  applyJwtSessionContext: (transaction: Transaction, context: QueryContext) => Promise<void>
  /** Called with every database error. */
  normalizeDbError: (error: unknown) => unknown
}

interface Transaction {
  executeQuery: (query: object) => Promise<{ rows: { backend: number }[] }>
}

/** Roles that can have a timeout of their own. */
const roles = ['anon', 'authenticated', 'service_role']

/**
 * Creates the Data API's database connection. It adds to lite what PostgREST does and lite lacks, and what protects the
 * rest of the platform:
 *
 * - a query waits for its turn and is limited before it runs (see admission.ts and query-limits.ts),
 * - it runs with the `statement_timeout` of the caller's role, as in PostgREST,
 * - it runs only if `private.check_data_api_request` allows it, as with PostgREST's `db-pre-request`,
 * - it can be canceled,
 * - it sees only the schema `public`, and `notify pgrst` reloads that schema (see schema-cache.ts),
 * - PostgreSQL converts rows to JSON (see json-rows.ts),
 * - database errors have PostgREST's codes (see postgrest-compatibility.ts).
 *
 * @param maxRows the largest number of rows in a response
 */
export async function connectDataApi(
  url: string,
  connections: number,
  maxRows: number,
  admission: Admission,
  log: Log,
): Promise<{ connection: PostgresConnection; cancel: (request: DataApiRequest) => Promise<void> }> {
  const connection = connectToDatabase(url, connections)
  const { driver } = connection
  readRowsAsJson(connection)
  const readSchema = exposeSchema(connection, 'public')
  let timeouts = new Map<string, string>()
  let indexed = new Set<string>()
  let arrays = new Set<string>()
  const reload = async (): Promise<void> => {
    ;[timeouts, indexed, arrays] = await Promise.all([
      readTimeouts(driver),
      readIndexedColumns(driver),
      readArrayColumns(driver),
    ])
    await readSchema()
  }
  await reloadOnNotify(driver, reload, log)
  await reload()
  const isIndexed = (table: string, column: string) => indexed.has(`${table}.${column}`)

  const hooks = connection as unknown as Hooks
  const { onPostgrestAST, applyJwtSessionContext, normalizeDbError } = hooks
  if ([onPostgrestAST, applyJwtSessionContext, normalizeDbError].some((hook) => typeof hook !== 'function')) {
    throw new Error('this version of @supabase/lite handles queries in another way: see connection.ts')
  }
  hooks.normalizeDbError = toPostgrestError
  hooks.onPostgrestAST = async (query, context) => {
    const request = currentRequest.getStore()
    if (!request) return await onPostgrestAST.call(connection, query, context)
    const role = context.auth?.role ?? 'anon'
    const isVisitor = role === 'anon'
    if (role !== 'service_role') {
      const caller = isVisitor ? visitor(request.network) : user(String(context.auth?.uid), context.auth?.jwt)
      const leave = await admission.enter(caller, request.signal)
      if (typeof leave === 'string') throw reject(request, refusals[leave]())
      const onEnd = exitIfStuck(log)
      request.leave = () => {
        onEnd()
        leave()
      }
    }
    const problem = limitQuery(query, { maxRows, isVisitor, isIndexed })
    if (problem) throw reject(request, badRequest(problem))
    fillMissingColumns(query)
    writeArrayLiterals(query, arrays)
    return await onPostgrestAST.call(connection, query, context)
  }
  // Sets everything in one round trip instead of five.
  hooks.applyJwtSessionContext = async (transaction, { auth }) => {
    const request = currentRequest.getStore()
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
    const { rows } = await transaction.executeQuery({
      // The columns are computed in this order, so the check sees the settings.
      sql: `select pg_backend_pid() as backend, ${calls.join(', ')}, private.check_data_api_request()`,
      parameters: entries.flat(),
      query: { kind: 'RawNode', sqlFragments: [], parameters: [] },
      queryId: { queryId: 'context' },
    })
    const backend = rows[0]?.backend
    if (backend !== undefined) lowerPriority(backend)
    if (!request) return
    request.backend = backend
    // `cancel` was called before the connection was known.
    if (request.signal.aborted) throw new Error('the client has disconnected')
  }
  return {
    connection,
    async cancel({ id, backend }) {
      if (backend === undefined) return
      await driver`
        select pg_cancel_backend(pid) from pg_stat_activity where pid = ${backend} and application_name = ${id}`
    },
  }
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

/** Reads the roles' timeouts (`alter role … set statement_timeout`), which apply only at login. */
async function readTimeouts(driver: PostgresConnection['driver']): Promise<Map<string, string>> {
  const rows = await driver<{ role: string; timeout: string }[]>`
    select rolname as role, split_part(setting, '=', 2) as timeout
    from pg_roles, unnest(rolconfig) setting
    where rolname = any(${roles}) and setting like 'statement_timeout=%'`
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
