import { EarningSource, type EarningsOverview } from '@contract/earnings.ts'
import { earningSourceNames } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { ShareBar } from '@/ui/charts/ShareBar'
import { EarningsSection } from './EarningsSection'

/** What the last year's earnings came of, the largest first, each with its real share; also what has none. */
export function EarningSources({ sources }: { sources: EarningsOverview['sources'] }) {
  const none = EarningSource.options.filter((source) => !sources.some((one) => one.source === source))
  const all = [...sources, ...none.map((source) => ({ source, amount: 0, percentage: 0 }))]
  const parts = all.map(({ source, amount, percentage }) => ({
    name: earningSourceNames[source],
    value: amount,
    percentage,
  }))
  return (
    <EarningsSection title="Revenue Sources" text="The last 12 months">
      <ShareBar label="Revenue Sources" head={['Source', 'Earned']} parts={parts} format={dollars} />
    </EarningsSection>
  )
}
