import { limits } from '../contract/limits.ts'
import { cursorKey, type PageRange } from '../db/page.ts'
import { type SqlFragment, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { type CsvCell, toCsv } from '../http/csv.ts'
import { pageRange } from '../http/params.ts'
import { asUser } from '../http/run-as.ts'
import { consumeRateLimit } from '../rate-limits.ts'
import { apiTransactionType, transactionDescription, transactionStatus } from './presenter.ts'
import { fromTransactions, type TransactionFilter } from './queries.ts'

const header = [
  'Date (UTC)',
  'Type',
  'Description',
  'Paid (USD)',
  'Fee (USD)',
  'Amount (USD)',
  'Status',
  'Clears (UTC)',
  'Transaction',
  'Test money',
]

/** Rows read per query. */
const batchSize = 1000

type Row = {
  key: string
  id: string
  type: string
  description: string
  gross: string
  fee: string
  amount: string
  date: string
  status: string
  clears: string
  test: string
}

/** Returns the export file's name, which contains the filter and today's date in UTC. */
export const transactionsFileName = ({ of, type, from, to }: TransactionFilter): string =>
  [
    'ovation-transactions',
    of,
    type,
    from && `from-${from}`,
    to && `to-${to}`,
    `${new Date().toISOString().slice(0, 10)}.csv`,
  ]
    .filter((part) => part !== undefined)
    .join('-')
    .replaceAll('_', '-')

/**
 * Returns the caller's transactions as CSV text, newest first, up to `limits.maxExportRows` rows.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything; 429 after 30
 *   exports in an hour
 */
export async function exportTransactionsCsv(caller: Caller, filter: TransactionFilter): Promise<string> {
  await asUser(caller, (tx) => tx`select private.require_earner()`)
  await consumeRateLimit({ bucket: 'earnings-export', subject: caller.userId, maxHits: 30, window: '1 hour' })
  const cells: CsvCell[][] = []
  let range: PageRange = { limit: batchSize, offset: 0, after: null }
  while (cells.length < limits.maxExportRows) {
    const rows: Row[] = await readBatch(caller, filter, range)
    cells.push(...rows.map(toCells))
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) break
    range = pageRange({ cursor: last.key }, batchSize)
  }
  return toCsv(header, cells)
}

const toCells = (row: Row) => [
  row.date,
  row.type,
  row.description,
  row.gross,
  row.fee,
  row.amount,
  row.status,
  row.clears,
  row.id,
  row.test,
]

const inDollars = (cents: SqlFragment) => sql`(${cents} / 100.0)::numeric(20, 2)::text`
const inUtc = (time: SqlFragment) => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`

const readBatch = (caller: Caller, filter: TransactionFilter, range: PageRange) =>
  asUser(
    caller,
    (tx) => tx<Row[]>`
      select ${cursorKey(sql`t.created_at`, sql`t.id`)} as key, t.id::text, ${apiTransactionType(sql`t.kind`)} as type,
             ${transactionDescription} as description, ${inDollars(sql`t.gross_cents`)} as gross,
             ${inDollars(sql`t.fee_cents`)} as fee, ${inDollars(sql`t.net_cents`)} as amount,
             ${inUtc(sql`t.created_at`)} as date, ${transactionStatus} as status, ${inUtc(sql`t.clears_at`)} as clears,
             case when t.is_test then 'yes' else 'no' end as test
      ${fromTransactions(caller.userId, filter, range, sql`limit ${batchSize}::int`)}`,
  )
