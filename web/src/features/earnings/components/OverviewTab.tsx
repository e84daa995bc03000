import { Box } from '@chakra-ui/react'
import type { EarningsOverview } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState, InlineError } from '@/ui/states'
import { overviewQuery } from '../api'
import { amountCardNames, formatUtcDay } from '../model'
import { AmountCard } from './AmountCard'
import { EarningSources } from './EarningSources'
import { EarningsSection } from './EarningsSection'
import { GettingStarted } from './GettingStarted'
import { RequestPayoutDialog } from './RequestPayoutDialog'

const Months = lazy(() => import('./MonthlyEarningsChart'))

const grid = { display: 'grid', gap: { base: '2', md: '4' } } as const
const cards = {
  ...grid,
  gridTemplateColumns: { base: '1fr', sm: '1fr 1fr', xl: 'repeat(4, minmax(0, 1fr))' },
}

/** What there is, what it came from, and how the last year went. */
export function OverviewTab() {
  const overview = useQuery(overviewQuery)
  const [asking, setAsking] = useState(false)
  if (overview.isPending) return <Waiting />
  if (!overview.data) {
    return (
      <Card>
        <ErrorState message="Your earnings did not load." onRetry={() => void overview.refetch()} />
      </Card>
    )
  }
  const { data } = overview
  const rows = (of: string) => paths.earnings.getHref('transactions', of)
  const lastYear = data.months.reduce((sum, { amount }) => sum + amount, 0)
  const nothingYet = data.months.every(({ amount }) => amount === 0) && data.available === 0
  return (
    <Box {...grid}>
      {overview.isRefetchError && (
        <InlineError text="What is new did not load." onRetry={() => void overview.refetch()} />
      )}
      <Box css={cards}>
        <AmountCard
          title={amountCardNames.available}
          amount={data.available}
          rows={rows('available')}
          rowsLabel="View transactions"
          action={
            <Button variant="ember" size="sm" onClick={() => setAsking(true)}>
              Withdraw
            </Button>
          }
        >
          {availability(data)}
        </AmountCard>
        <AmountCard
          title={amountCardNames.this_month}
          amount={data.thisMonth}
          rows={rows('this_month')}
          rowsLabel="View transactions"
        >
          <Compared now={data.thisMonth} before={data.previousMonth} />
        </AmountCard>
        <AmountCard
          title={amountCardNames.pending}
          amount={data.pending}
          rows={rows('pending')}
          rowsLabel="View transactions"
        >
          From sales of the last {limits.clearingDays} days. Each becomes available {limits.clearingDays} days
          after the sale.
        </AmountCard>
        <AmountCard
          title={amountCardNames.last_30_days}
          amount={data.yearlyProjection}
          rows={rows('last_30_days')}
          rowsLabel="View transactions"
        >
          {dollars(data.last30Days)} in the last 30 days, times 12.
        </AmountCard>
      </Box>
      {nothingYet ? (
        <GettingStarted />
      ) : (
        <Box css={{ ...grid, gridTemplateColumns: { base: '1fr', lg: 'minmax(0, 2fr) minmax(0, 1fr)' } }}>
          <EarningsSection
            title="Earnings by month"
            text={`${dollars(lastYear)} in the last 12 months. This month is not over yet.`}
          >
            <Suspense fallback={<Skeleton height="15rem" borderRadius="md" />}>
              <Months months={data.months} />
            </Suspense>
          </EarningsSection>
          <EarningSources sources={data.sources} />
        </Box>
      )}
      <Box textStyle="small" color="muted" paddingInline={{ base: '4', md: '1' }}>
        Amounts are in US dollars, after the platform’s share of {data.feePercent}%. Days and months are in
        UTC.
      </Box>
      <RequestPayoutDialog open={asking} onClose={() => setAsking(false)} />
    </Box>
  )
}

function availability({ available, nextPayoutAt }: EarningsOverview): string {
  if (available < 0) return 'More was given back than there was. The next sales make up for it.'
  if (available < limits.minimumPayout) return `Paid out from ${dollars(limits.minimumPayout)}.`
  return nextPayoutAt ? `Next payout on ${formatUtcDay(nextPayoutAt)}.` : 'Paid out when you ask for it.'
}

function Compared({ now, before }: { now: number; before: number }) {
  if (before <= 0) {
    return now > 0
      ? 'Nothing in the same days of last month.'
      : 'Nothing in the same days of last month either.'
  }
  const percent = Math.round((now / before - 1) * 100)
  const tone = percent === 0 ? 'muted' : percent > 0 ? 'success.text' : 'danger.text'
  return (
    <>
      <Box as="span" color={tone} fontWeight="semibold" fontVariantNumeric="tabular-nums">
        {percent > 0 && '+'}
        {percent}%
      </Box>{' '}
      from {dollars(before)} in the same days of last month.
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading your earnings" css={grid}>
      <Box css={cards}>
        {Object.keys(amountCardNames).map((name) => (
          <Card key={name} padding={{ base: '4', md: '5' }} minHeight="11.5rem">
            <Skeleton height="4" width="50%" marginTop="2.5" />
            <Skeleton height="9" width="70%" marginTop="4" />
            <Skeleton height="3" width="90%" marginTop="4" />
            <Skeleton height="3" width="40%" marginTop="4" />
          </Card>
        ))}
      </Box>
      <Card padding={{ base: '4', md: '5' }}>
        <Skeleton height="4" width="30%" />
        <Skeleton height="14rem" marginTop="5" borderRadius="md" />
      </Card>
    </Loading>
  )
}
