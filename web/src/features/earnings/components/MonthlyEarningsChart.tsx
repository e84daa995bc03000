import type { EarningsOverview } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { dollars, shortDollars } from '@/lib/format'
import { AreaChart } from '@/ui/charts/AreaChart'

/** Shows the earnings of each month. Loaded lazily, so that the amounts do not wait for the chart library. */
export default function MonthlyEarningsChart({ months }: { months: EarningsOverview['months'] }) {
  const points = months.map(({ month, amount }) => ({
    day: month,
    until: lastDayOfMonth(month),
    value: amount,
  }))
  return <AreaChart label={t`Earnings`} points={points} format={dollars} axisFormat={shortDollars} />
}

/** Returns the last day of the month with this first day. Both are YYYY-MM-DD. */
function lastDayOfMonth(month: string): string {
  const first = new Date(`${month}T00:00:00Z`)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}
