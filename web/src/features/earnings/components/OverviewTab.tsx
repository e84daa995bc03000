import { Box } from '@chakra-ui/react'
import { EarningSource, type EarningsOverview, type TransactionsCard } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { earningSourceNames } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { ShareBar } from '@/ui/charts/BarChart'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState, InlineError } from '@/ui/states'
import { overviewQuery } from '../api'
import { amountCardNames, formatUtcDay } from '../model'
import { EarningsSection, TransactionsLink } from './EarningsSection'
import { GettingStarted } from './GettingStarted'
import { RequestPayoutDialog } from './RequestPayoutDialog'

const MonthlyEarningsChart = lazy(() => import('./MonthlyEarningsChart'))

const gridStyle = { display: 'grid', gap: { base: '2', md: '4' } } as const
const cardGridStyle = {
  ...gridStyle,
  gridTemplateColumns: { base: '1fr', sm: '1fr 1fr', xl: 'repeat(4, minmax(0, 1fr))' },
}

/** Shows the balance, this month's earnings, and the earnings of the last 12 months by month and by source. */
export function OverviewTab() {
  const overview = useQuery(overviewQuery)
  const [isRequestingPayout, setIsRequestingPayout] = useState(false)
  if (overview.isPending) return <OverviewSkeleton />
  if (!overview.data) {
    return (
      <Card>
        <ErrorState message="Your earnings did not load." onRetry={() => void overview.refetch()} />
      </Card>
    )
  }
  const { data } = overview
  const last12Months = data.months.reduce((sum, { amount }) => sum + amount, 0)
  const hasEarnings = data.months.some(({ amount }) => amount !== 0) || data.available !== 0
  return (
    <Box {...gridStyle}>
      {overview.isRefetchError && (
        <InlineError text="What is new did not load." onRetry={() => void overview.refetch()} />
      )}
      <Box css={cardGridStyle}>
        <AmountCard
          card="available"
          amount={data.available}
          action={
            <Button variant="ember" size="sm" onClick={() => setIsRequestingPayout(true)}>
              Withdraw
            </Button>
          }
        >
          {availabilityText(data)}
        </AmountCard>
        <AmountCard card="this_month" amount={data.thisMonth}>
          <MonthComparison current={data.thisMonth} previous={data.previousMonth} />
        </AmountCard>
        <AmountCard card="pending" amount={data.pending}>
          From sales of the last {limits.clearingDays} days. Each becomes available {limits.clearingDays} days
          after the sale.
        </AmountCard>
        <AmountCard card="last_30_days" amount={data.yearlyProjection}>
          {dollars(data.last30Days)} in the last 30 days, times 12.
        </AmountCard>
      </Box>
      {hasEarnings ? (
        <Box
          css={{ ...gridStyle, gridTemplateColumns: { base: '1fr', lg: 'minmax(0, 2fr) minmax(0, 1fr)' } }}
        >
          <EarningsSection
            title="Earnings by month"
            text={`${dollars(last12Months)} in the last 12 months. This month is not over yet.`}
          >
            <Suspense fallback={<Skeleton height="15rem" borderRadius="md" />}>
              <MonthlyEarningsChart months={data.months} />
            </Suspense>
          </EarningsSection>
          <EarningSources sources={data.sources} />
        </Box>
      ) : (
        <GettingStarted />
      )}
      <Box textStyle="small" color="muted" paddingInline={{ base: '4', md: '1' }}>
        Amounts are in US dollars, after the platform’s share of {data.feePercent}%. Days and months are in
        UTC.
      </Box>
      <RequestPayoutDialog open={isRequestingPayout} onClose={() => setIsRequestingPayout(false)} />
    </Box>
  )
}

/** Shows an amount with an explanation and a link to its transactions. */
function AmountCard({
  card,
  amount,
  action,
  children,
}: {
  card: TransactionsCard
  amount: number
  action?: ReactNode
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <Card
      as="section"
      aria-labelledby={headingId}
      position="relative"
      display="flex"
      flexDirection="column"
      minWidth="0"
      padding={{ base: '4', md: '5' }}
      transition="border-color {durations.fast}"
      _hover={{ borderColor: 'outline' }}
    >
      <Box as="h2" id={headingId} textStyle="small" fontWeight="medium" color="muted">
        {amountCardNames[card]}
      </Box>
      <Box
        textStyle="display"
        fontSize={{ base: '3xl', md: '3xl' }}
        fontVariantNumeric="tabular-nums"
        marginTop="1"
        overflowWrap="anywhere"
      >
        {dollars(amount)}
      </Box>
      <Box textStyle="small" color="muted" marginTop="1.5" marginBottom="3">
        {children}
      </Box>
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        columnGap="3"
        rowGap="2"
        marginTop="auto"
      >
        <TransactionsLink card={card} />
        {action && (
          <Box position="relative" zIndex="raised">
            {action}
          </Box>
        )}
      </Box>
    </Card>
  )
}

function availabilityText({ available, nextPayoutAt }: EarningsOverview): string {
  if (available < 0) return 'More was given back than there was. The next sales make up for it.'
  if (available < limits.minimumPayout) return `Paid out from ${dollars(limits.minimumPayout)}.`
  return nextPayoutAt ? `Next payout on ${formatUtcDay(nextPayoutAt)}.` : 'Paid out when you ask for it.'
}

function MonthComparison({ current, previous }: { current: number; previous: number }) {
  if (previous <= 0) {
    return current > 0
      ? 'Nothing in the same days of last month.'
      : 'Nothing in the same days of last month either.'
  }
  const percent = Math.round((current / previous - 1) * 100)
  const color = percent === 0 ? 'muted' : percent > 0 ? 'success.text' : 'danger.text'
  return (
    <>
      <Box as="span" color={color} fontWeight="semibold" fontVariantNumeric="tabular-nums">
        {percent > 0 && '+'}
        {percent}%
      </Box>{' '}
      from {dollars(previous)} in the same days of last month.
    </>
  )
}

/** Shows the earnings of the last 12 months by source, largest first, including sources without earnings. */
function EarningSources({ sources }: { sources: EarningsOverview['sources'] }) {
  const emptySources = EarningSource.options
    .filter((source) => !sources.some((entry) => entry.source === source))
    .map((source) => ({ source, amount: 0, percentage: 0 }))
  const parts = [...sources, ...emptySources].map(({ source, amount, percentage }) => ({
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

function OverviewSkeleton() {
  return (
    <Loading label="Loading your earnings" css={gridStyle}>
      <Box css={cardGridStyle}>
        {Object.keys(amountCardNames).map((card) => (
          <Card key={card} padding={{ base: '4', md: '5' }} minHeight="11.5rem">
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
