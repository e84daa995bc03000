import { currentDay } from '@contract/analytics.ts'
import type { EarningsByDay, EarningsOverview } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { dollars, shortDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { TimeChart } from '@/ui/charts/TimeChart'
import { formatTimeSpan, groupDays, previousPeriodName, type TimePoint } from '@/ui/charts/time-axis'

type Months = EarningsOverview['months']

/**
 * Shows the earnings for a range of days, compared with the previous period, or for the last `count` months, compared
 * with the same months a year earlier. Omits the comparison if nothing was earned in the earlier period. Pointing at a
 * month also shows the amount of the month before it. Each point links to its transactions. Loaded lazily, so that the
 * rest of the overview does not wait for the chart library.
 */
export default function EarningsChart(props: { byDay: EarningsByDay } | { months: Months; count: number }) {
  const isDaily = 'byDay' in props
  const points = isDaily ? dailyPoints(props.byDay) : monthlyPoints(props.months, props.count)
  return (
    <TimeChart
      kind="area"
      label={t`Earnings`}
      points={points.map((point) => ({
        ...point,
        to: paths.earnings.getHref('transactions', {
          of: 'earnings',
          from: point.day,
          to: point.until ?? point.day,
        }),
      }))}
      format={dollars}
      axisFormat={shortDollars}
      previous={isDaily ? previousPeriodName(props.byDay.days.length) : t`Year before`}
      linkHint={t`Select to see transactions`}
    />
  )
}

/**
 * Returns the points of the days, grouped by week or month if there are many. Includes the values of the previous
 * period if it had earnings.
 */
function dailyPoints({ days, previousDays, previousTotal }: EarningsByDay): TimePoint[] {
  const today = currentDay()
  return groupDays(
    days.map(({ day, amount }, index) => ({
      day,
      value: amount,
      ...(previousTotal !== 0 && { previous: previousDays[index]?.amount ?? 0 }),
      ...(day === today && { unfinished: true as const }),
    })),
    days.length,
  )
}

/** Returns the points of the last `count` months, which end with the current month. */
function monthlyPoints(months: Months, count: number): TimePoint[] {
  const hasPreviousYear = months.slice(-count).some(({ previousYear }) => previousYear !== 0)
  const points = months.map(({ month, amount, previousYear }, index): TimePoint => {
    const before = months[index - 1]
    return {
      ...monthSpan(month),
      value: amount,
      ...(hasPreviousYear && { previous: previousYear }),
      ...(index === months.length - 1 && { unfinished: true }),
      ...(before && { note: `${formatTimeSpan(monthSpan(before.month))}: ${dollars(before.amount)}` }),
    }
  })
  return points.slice(-count)
}

const monthSpan = (month: string) => ({ day: month, until: lastDayOfMonth(month) })

/** Returns the last day of the month that starts on the given day. Both are YYYY-MM-DD. */
function lastDayOfMonth(month: string): string {
  const first = new Date(`${month}T00:00:00Z`)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}
