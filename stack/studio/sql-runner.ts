import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { errorMessage } from '../shared/errors.ts'
import { maxValueLength, type Value } from './layout.ts'
import { findSecretSetting, isSecretColumn } from './secrets.ts'
import { type Statement, splitStatements } from './sql-statements.ts'

export const maxRows = 500
const statementTimeoutMs = 30_000
const scriptTimeoutMs = 35_000
const lockTimeoutMs = 5000
/** How many rows are fetched at a time. */
const batchSize = 50
const maxNotices = 20
const maxStatements = 1000

export interface StatementResult {
  /** The command that PostgreSQL reports, such as `UPDATE`; an empty string if the result was not read to the end. */
  command: string
  /** How many rows were read or changed, or null if the number is unknown. */
  count: number | null
  columns: string[]
  rows: (Value | null)[][]
  /** Whether there are more rows than `rows` contains. */
  hasMore: boolean
}

export interface SqlFailure {
  message: string
  code?: string
  detail?: string
  hint?: string
  /** Where the error is in the script, in characters from its beginning. */
  position?: number
}

export interface SqlOutcome {
  results: StatementResult[]
  notices: string[]
  failure: SqlFailure | null
  ms: number
}

interface RawColumn {
  name: string
  /** The OID of the column's table, and the column's number in that table; 0 for an expression. */
  table: number
  number: number
}
type RawRow = (Uint8Array | null)[]
type RawResult = RawRow[] & { columns?: RawColumn[]; command?: string; count?: number | null }

/** Thrown for a script that cannot run in the SQL editor. */
class RefusedStatement extends Error {}

class ScriptTimeout extends Error {}

/**
 * Runs a script on a connection of its own, in one transaction. If changes are allowed, a script that is a single
 * statement runs outside a transaction block, because some statements, such as VACUUM, cannot run inside one.
 *
 * Each statement is sent with the extended protocol, which accepts a single command. A statement therefore cannot end
 * the read-only transaction and run another command outside it.
 *
 * @param allowsChanges whether the transaction may write
 * @param timeoutMs the time after which the script is terminated. Unlike PostgreSQL's timeout, which applies to each
 *   batch of rows, this one cannot be changed by the script.
 */
export async function runScript(
  url: string,
  script: string,
  allowsChanges: boolean,
  timeoutMs = scriptTimeoutMs,
): Promise<SqlOutcome> {
  const startedAt = performance.now()
  const results: StatementResult[] = []
  const notices: string[] = []
  let current: Statement | undefined
  let backendId: number | undefined
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 10,
    prepare: false,
    fetch_types: false,
    onnotice: ({ severity, message }) => {
      if (notices.length < maxNotices) notices.push(`${severity}: ${message}`)
    },
    connection: {
      application_name: 'studio SQL',
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      default_transaction_read_only: !allowsChanges,
      // A statement that runs while the statistics are reset would be recorded with its constants.
      'pg_stat_statements.track': 'none',
    },
  })
  const run = async () => {
    if (script.includes('\0')) throw new RefusedStatement('Remove the NUL character.')
    const statements = splitStatements(script)
    if (statements.length > maxStatements) {
      throw new RefusedStatement('A script can have at most 1,000 statements here. Use psql for longer ones.')
    }
    for (current of statements) refuseUnsupported(current)
    current = undefined
    if (statements.length === 0) throw new RefusedStatement('Enter a statement.')
    const [backend] = await sql<{ id: number }[]>`select pg_backend_pid() as id`
    backendId = backend?.id
    const isInTransaction = !allowsChanges || statements.length > 1
    // A read-only transaction cannot be made writable after its first query.
    if (isInTransaction) await sql.unsafe(allowsChanges ? 'begin' : 'begin read only; select 1')
    for (current of statements) results.push(await runStatement(sql, current.text, allowsChanges))
    current = undefined
    if (isInTransaction) await sql.unsafe(allowsChanges ? 'commit' : 'rollback')
  }
  const limit = new AbortController()
  let failure: SqlFailure | null = null
  try {
    await Promise.race([
      run(),
      delay(timeoutMs, undefined, { signal: limit.signal }).then(() => {
        throw new ScriptTimeout('The script took too long and was terminated.')
      }),
    ])
  } catch (error) {
    failure = describeFailure(error, current?.offset ?? 0)
    // The operator needs the outcome even if the termination fails.
    if (error instanceof ScriptTimeout && backendId)
      await terminateBackend(url, backendId).catch(() => undefined)
  } finally {
    limit.abort()
    await sql.end({ timeout: 0 })
  }
  return { results, notices, failure, ms: performance.now() - startedAt }
}

/**
 * Terminates a backend that is running a statement. Closing its connection would not stop the statement, because
 * PostgreSQL notices the closed connection only after the statement.
 */
async function terminateBackend(url: string, id: number): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, prepare: false, fetch_types: false })
  try {
    await sql`select pg_terminate_backend(${id})`
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** @throws RefusedStatement */
function refuseUnsupported({ keyword }: Statement): void {
  if (/^(begin|start|commit|end|rollback|abort|savepoint|release)$/.test(keyword)) {
    throw new RefusedStatement(
      `Remove ${keyword.toUpperCase()}: the studio begins and ends the transaction itself.`,
    )
  }
  if (keyword === 'copy') throw new RefusedStatement('COPY is not supported here. Use psql.')
}

async function runStatement(sql: postgres.Sql, text: string, readsToEnd: boolean): Promise<StatementResult> {
  const rows: (Value | null)[][] = []
  let columns: RawColumn[] = []
  let read = 0
  const taken = new Set<RawResult>()
  const take = (batch: RawResult): void => {
    // The query returns the last batch, which is also passed to the callback if the command has a count.
    if (taken.has(batch)) return
    taken.add(batch)
    if (batch.columns?.length) columns = batch.columns
    for (const row of batch) if (read++ < maxRows) rows.push(row.map(toValue))
  }
  const query = sql.unsafe(text).raw() as unknown as {
    cursor(size: number, take: (batch: RawResult) => unknown): Promise<RawResult>
  }
  // If changes are allowed, the statement runs to its end, because `select f(x) from t` calls f only for the rows that
  // are fetched.
  const last = await query.cursor(batchSize, (batch) => {
    take(batch)
    return read > maxRows && !readsToEnd ? sql.CLOSE : undefined
  })
  take(last)
  const hasMore = read > maxRows
  await maskSecrets(sql, columns, rows)
  return {
    command: last.command ?? '',
    count: hasMore && !readsToEnd ? null : columns.length > 0 ? read : (last.count ?? null),
    columns: columns.map(({ name }) => name),
    rows,
    hasMore,
  }
}

const decoder = new TextDecoder()

function toValue(bytes: Uint8Array | null): Value | null {
  if (bytes === null) return null
  // A character has at most four bytes.
  const text = decoder.decode(bytes.subarray(0, 4 * maxValueLength))
  const shown = [...text].slice(0, maxValueLength).join('')
  return shown.length === text.length && bytes.length <= 4 * maxValueLength
    ? { text }
    : { text: shown, totalBytes: bytes.length }
}

/** Hides the values of secret columns, even if the statement renames them. */
async function maskSecrets(sql: postgres.Sql, columns: RawColumn[], rows: (Value | null)[][]): Promise<void> {
  const origins = columns.filter(({ table }) => table > 0)
  const attributes =
    origins.length === 0
      ? []
      : await sql<{ table: number; number: number; name: string; tableName: string }[]>`
          select a.attrelid::int8::float8 as table, a.attnum::int4 as number, a.attname as name,
                 n.nspname || '.' || c.relname as "tableName"
          from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
          where a.attrelid = any (${`{${[...new Set(origins.map(({ table }) => table))]}}`}::oid[])`
  const sources = columns.map(
    ({ table, number, name }) =>
      attributes.find((attribute) => attribute.table === table && attribute.number === number) ?? {
        name,
        tableName: '',
      },
  )
  const secretIndexes = sources.flatMap(({ name, tableName }, index) =>
    isSecretColumn('', columns[index]?.name ?? '') || isSecretColumn(tableName, name) ? [index] : [],
  )
  const names = sources.map(({ name }) => name)
  for (const row of rows) {
    for (const index of [...secretIndexes, findSecretSetting(names, row)]) {
      if (row[index]) row[index] = { text: '', isSecret: true }
    }
  }
}

function describeFailure(error: unknown, offset: number): SqlFailure {
  if (!(error instanceof postgres.PostgresError))
    return { message: errorMessage(error), position: error instanceof RefusedStatement ? offset : undefined }
  const { message, code, detail, hint, position } = error
  return {
    message,
    code,
    detail,
    hint,
    // PostgreSQL counts characters from 1.
    position: position ? offset + Number(position) - 1 : undefined,
  }
}
