import { limits } from '../contract/limits.ts'
import { keyOf, type Range, rangeOf, sql } from '../db/page.ts'
import { asService, asUser } from '../db/run.ts'
import { type CsvCell, toCsv } from '../http/csv.ts'
import type { Caller } from '../http/session.ts'
import { obey } from '../limits/queries.ts'
import { statusOf, type TransactionFilter, transactionsOf } from './transactions.ts'
import { description, sourceOf } from './words.ts'

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
]

/** Rows that are read at a time. */
const pageSize = 1000

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
}

/** What the file is called: by its filter, and the day in UTC. */
export const exportName = ({ of, type }: TransactionFilter): string =>
  ['ovation-transactions', of, type, `${new Date().toISOString().slice(0, 10)}.csv`]
    .filter((part) => part !== undefined)
    .join('-')
    .replaceAll('_', '-')

/**
 * The caller's transactions as a table, the newest first: 50,000 at most.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything, 429 after 30 in an hour
 */
export async function exportTransactions(caller: Caller, filter: TransactionFilter): Promise<string> {
  await asUser(caller, (tx) => tx`select private.require_earner()`)
  obey(
    await asService(
      'counting calls is nothing that those who are counted may do',
      (tx) => tx<{ wait: number }[]>`
        select private.take_rate('earnings-export', ${caller.userId}::text, 30, '1 hour') as wait`,
    ),
  )
  const cells: CsvCell[][] = []
  for (let after: Range['after'] = null; cells.length < limits.exportRows; ) {
    const rows: Row[] = await readPage(caller, filter, after)
    cells.push(...rows.map(toCells))
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) break
    after = rangeOf({ cursor: last.key }, pageSize).after
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
]

const inDollars = (cents: ReturnType<typeof sql>) => sql`(${cents} / 100.0)::numeric(20, 2)::text`
const inUtc = (time: ReturnType<typeof sql>) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`

const readPage = (caller: Caller, filter: TransactionFilter, after: Range['after']) =>
  asUser(
    caller,
    (tx) => tx<Row[]>`
      select ${keyOf(sql`t.created_at`, sql`t.id`)} as key, t.id::text, ${sourceOf(sql`t.kind`)} as type,
             ${description} as description, ${inDollars(sql`t.gross_cents`)} as gross,
             ${inDollars(sql`t.fee_cents`)} as fee, ${inDollars(sql`t.net_cents`)} as amount,
             ${inUtc(sql`t.created_at`)} as date, ${statusOf} as status, ${inUtc(sql`t.clears_at`)} as clears
      from ${transactionsOf(caller.userId, filter, after, sql`limit ${pageSize}::int`)}`,
  )
