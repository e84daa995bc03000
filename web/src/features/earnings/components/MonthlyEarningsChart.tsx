import type { EarningsOverview } from '@contract/earnings.ts'
import { dollars, shortDollars } from '@/lib/format'
import { AreaChart } from '@/ui/charts/AreaChart'

/** The last day of the month that begins on a day (YYYY-MM-DD). */
function lastDay(month: string): string {
  const first = new Date(`${month}T00:00:00Z`)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}

/** What each of the last months brought. In a file of its own: charts are large, and the figures do not wait for them. */
export default function MonthlyEarningsChart({ months }: { months: EarningsOverview['months'] }) {
  const points = months.map(({ month, amount }) => ({ day: month, until: lastDay(month), value: amount }))
  return <AreaChart label="Earnings" points={points} format={dollars} axisFormat={shortDollars} />
}
