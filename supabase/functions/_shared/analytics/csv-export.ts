import type { Caller } from '../http/caller.ts'
import { toCsv } from '../http/csv.ts'
import { asUserWithoutSessionCheck } from '../http/run-as.ts'
import { fillDays, periodRange } from './period.ts'
import {
  type AnalyticsRequest,
  emptyDay,
  requireAnalyticsOwner,
  selectCreatorDays,
  selectEarningDays,
  sumCentsByDay,
} from './queries.ts'

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
 * Returns the caller's analytics for a period as CSV text, one row per day.
 *
 * @throws ApiError 401, 403
 */
export async function exportAnalyticsCsv(caller: Caller, request: AnalyticsRequest): Promise<string> {
  const range = periodRange(request)
  const exported = { since: range.firstDay, until: range.lastDay }
  const [, days, earnings] = await asUserWithoutSessionCheck(caller, (tx) => [
    requireAnalyticsOwner(tx, request.userId),
    selectCreatorDays(tx, caller, exported),
    selectEarningDays(tx, caller, exported),
  ])
  const cents = sumCentsByDay(earnings)
  return toCsv(
    header,
    fillDays(days, range.days, emptyDay).map((row) => [
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
