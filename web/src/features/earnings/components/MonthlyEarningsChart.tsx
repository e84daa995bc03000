import type { EarningsOverview } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { dollars, shortDollars } from '@/lib/format'
import { TimeChart } from '@/ui/charts/TimeChart'

/** Shows the earnings of each month. Loaded lazily, so that the amounts do not wait for the chart library. */
export default function MonthlyEarningsChart({ months }: { months: EarningsOverview['months'] }) {
  const points = months.map(({ month, amount }, index) => ({
    day: month,
    until: lastDayOfMonth(month),
    value: amount,
    // The list ends with the current month.
    ...(index === months.length - 1 && { unfinished: true as const }),
  }))
  return (
    <TimeChart kind="area" label={t`Earnings`} points={points} format={dollars} axisFormat={shortDollars} />
  )
}

/** Returns the last day of the month with this first day. Both are YYYY-MM-DD. */
function lastDayOfMonth(month: string): string {
  const first = new Date(`${month}T00:00:00Z`)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}
