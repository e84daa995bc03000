import { asGuardedUser } from '../db/run.ts'
import { toCsv } from '../http/csv.ts'
import type { Caller } from '../http/session.ts'
import { fill, spanOf } from './days.ts'
import { type Asked, nothing, requireOwn, selectDays, selectEarnings } from './figures.ts'
import { centsByDay } from './monthly.ts'

const header = [
  'Day (UTC)',
  'Views',
  'Likes',
  'Comments',
  'New followers',
  'New subscribers',
  'Revenue (USD, after fees)',
]

/**
 * A period as a table, a row for each day.
 *
 * @throws ApiError 401, 403
 */
export async function exportDays(caller: Caller, asked: Asked): Promise<string> {
  const span = spanOf(asked.period)
  const [, days, earnings] = await asGuardedUser(caller, (tx) => [
    requireOwn(tx, asked.userId),
    selectDays(tx, caller, span.first),
    selectEarnings(tx, caller, span.first),
  ])
  const cents = centsByDay(earnings)
  const rows = fill(days, span.days, nothing)
  return toCsv(
    header,
    rows.map((row) => [
      row.day,
      row.views,
      row.likes,
      row.comments,
      row.followers,
      row.subscribers,
      ((cents.get(row.day) ?? 0) / 100).toFixed(2),
    ]),
  )
}
