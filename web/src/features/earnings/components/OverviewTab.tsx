import { Box } from '@chakra-ui/react'
import { countDays, DayRange } from '@contract/analytics.ts'
import { EarningSource, type EarningsOverview } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { earningSourceNames, usePaymentsConfig } from '@/billing/payments'
import { dollars, numberFormat } from '@/lib/format'
import { useUrlParams } from '@/lib/url-params'
import { Button } from '@/ui/Button'
import { ShareBar } from '@/ui/charts/BarChart'
import { ComparisonText, compareAmounts } from '@/ui/charts/Comparison'
import { DayRangeDialog, lastDays } from '@/ui/charts/DayRangeDialog'
import { Sparkline } from '@/ui/charts/Sparkline'
import { chartUnit, formatDayRange } from '@/ui/charts/time-axis'
import { CalendarIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { SegmentedControl } from '@/ui/SegmentedControl'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState, RefreshError } from '@/ui/states'
import { earningsByDayQuery, overviewQuery } from '../api'
import { amountCardNames, formatUtcDay, type OverviewCard } from '../model'
import { EarningsSection, TransactionsLink } from './EarningsSection'
import { GettingStarted } from './GettingStarted'
import { RecentTransactions } from './RecentTransactions'
import { RequestPayoutDialog } from './RequestPayoutDialog'

const EarningsChart = lazy(() => import('./EarningsChart'))

const gridStyle = { display: 'grid', gap: '3' } as const
const cardGridStyle = {
  ...gridStyle,
  gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', xl: 'repeat(4, minmax(0, 1fr))' },
  '& > :is(:first-child, :last-child)': { gridColumn: { base: '1 / -1', sm: 'auto' } },
}

/** Shows the balance, this month's earnings, a projection, and the earnings over time and by source. */
export function OverviewTab() {
  const overview = useQuery(overviewQuery)
  const { payments } = usePaymentsConfig(true)
  const [isRequestingPayout, setIsRequestingPayout] = useState(false)
  if (overview.isPending) return <OverviewSkeleton />
  if (!overview.data) {
    return (
      <Card inset>
        <ErrorState
          message={t`Couldn't load your earnings. Try again.`}
          onRetry={() => void overview.refetch()}
        />
      </Card>
    )
  }
  const { data } = overview
  const last30Days = dollars(data.last30Days)
  const testBalance = dollars(data.testBalance)
  const { clearingDays } = limits
  const fee = numberFormat({ style: 'percent', maximumFractionDigits: 2 }).format(data.feePercent / 100)
  const series = cardSeries(data)
  const hasEarnings = data.months.some(({ amount }) => amount !== 0) || data.available !== 0
  return (
    <Box {...gridStyle}>
      <RefreshError query={overview} />
      {payments !== undefined && payments !== 'test' && data.testBalance !== 0 && (
        <Card inset padding={{ base: '4', md: '5' }}>
          <Box textStyle="label">{t`Test money: ${testBalance}`}</Box>
          <Box textStyle="small" color="muted" marginTop="0.5">
            {t`It was earned while payments were in test mode. It's not part of your balance and can't be paid out.`}
          </Box>
        </Card>
      )}
      <Box css={cardGridStyle}>
        <AmountCard
          card="available"
          amount={data.available}
          action={
            <Button variant="ember" onClick={() => setIsRequestingPayout(true)}>
              {t`Withdraw`}
            </Button>
          }
        >
          {availabilityText(data)}
        </AmountCard>
        <AmountCard card="this_month" amount={data.thisMonth} series={series.this_month}>
          <MonthComparison current={data.thisMonth} previous={data.previousMonth} />
        </AmountCard>
        <AmountCard card="pending" amount={data.pending} series={series.pending}>
          {t`Each sale clears after ${clearingDays} days.`}
        </AmountCard>
        <AmountCard card="last_30_days" amount={data.yearlyProjection} series={series.last_30_days}>
          {t`If every month is like the last 30 days (${last30Days})`}
        </AmountCard>
      </Box>
      {hasEarnings ? (
        <Box
          css={{ ...gridStyle, gridTemplateColumns: { base: '1fr', lg: 'minmax(0, 2fr) minmax(0, 1fr)' } }}
        >
          <EarningsOverTime months={data.months} />
          <EarningSources sources={data.sources} />
        </Box>
      ) : (
        <GettingStarted />
      )}
      {hasEarnings && <RecentTransactions />}
      <Box textStyle="small" color="muted">
        {t`All amounts in USD, after the ${fee} platform fee. Dates are in UTC.`}
      </Box>
      <RequestPayoutDialog open={isRequestingPayout} onClose={() => setIsRequestingPayout(false)} />
    </Box>
  )
}

/** The values of a sparkline, oldest first, and the text below it, which says what they are. */
interface Series {
  label: string
  values: number[]
}

/**
 * Returns the sparklines of the cards: the earnings of each day of the card's period, including today, and those of
 * each month for the projection. The balance has none, because its history is not available.
 */
function cardSeries({ days, months }: EarningsOverview): Partial<Record<OverviewCard, Series>> {
  const month = months.at(-1)?.month ?? ''
  const thisMonth = days.filter(({ day }) => day >= month)
  const { clearingDays } = limits
  const amounts = (period: typeof days) => period.map(({ amount }) => amount)
  return {
    this_month: { label: t`Per day, this month`, values: amounts(thisMonth) },
    pending: {
      label: t`Per day, last ${clearingDays} days`,
      values: amounts(days.slice(-clearingDays)),
    },
    last_30_days: {
      label: t`Per month, last 12 months`,
      values: months.map(({ amount }) => amount),
    },
  }
}

/**
 * Shows an amount with an explanation. The card links to the amount's transactions, unless the amount is a projection.
 * A card with an action is highlighted.
 */
function AmountCard({
  card,
  amount,
  series,
  action,
  children,
}: {
  card: OverviewCard
  amount: number
  series?: Series | undefined
  action?: ReactNode
  children: ReactNode
}) {
  const headingId = useId()
  const isProjection = card === 'last_30_days'
  return (
    <Card
      inset
      as="section"
      aria-labelledby={headingId}
      position="relative"
      // On phones, the amount of the projection is beside its explanation.
      display={{ base: isProjection ? 'grid' : 'flex', sm: 'flex' }}
      gridTemplateColumns="minmax(0, 1fr) auto"
      alignItems={{ base: isProjection ? 'center' : 'stretch', sm: 'stretch' }}
      columnGap="4"
      flexDirection="column"
      minWidth="0"
      padding="4"
      bg={action ? 'ember.wash' : 'surface'}
      transition="border-color {durations.fast}"
      _hover={isProjection ? {} : { borderColor: 'outline' }}
    >
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="2">
        <Box as="h2" id={headingId} textStyle="small" fontWeight="medium" color="muted">
          {t(amountCardNames[card])}
        </Box>
        {!isProjection && <TransactionsLink card={card} iconOnly />}
      </Box>
      <Box
        textStyle="figure"
        fontSize={{ base: action ? '3xl' : 'clamp({fontSizes.xl}, 6vw, {fontSizes.2xl})', sm: '3xl' }}
        marginTop={{ base: isProjection ? '0' : '1', sm: '1' }}
        {...(isProjection && { gridColumn: '2', gridRow: '1 / span 2' })}
        overflowWrap="anywhere"
      >
        {dollars(amount)}
      </Box>
      <Box textStyle="small" color="muted" marginTop="1" textWrap="balance">
        {children}
      </Box>
      {action && (
        <Box position="relative" zIndex="raised" alignSelf="flex-start" marginTop="auto" paddingTop="3">
          {action}
        </Box>
      )}
      {series && series.values.length > 1 && series.values.some((value) => value !== 0) && (
        <Box marginTop="auto" paddingTop="3" gridColumn="1 / -1">
          <Sparkline values={series.values} />
          <Box aria-hidden textStyle="caption" color="muted" marginTop="1.5">
            {series.label}
          </Box>
        </Box>
      )}
    </Card>
  )
}

function availabilityText({ available, nextPayoutAt, nextPayoutAmount }: EarningsOverview): string {
  if (available < 0) return t`Refunds exceeded your balance. Your next sales will cover the difference.`
  if (nextPayoutAt && nextPayoutAmount !== null && nextPayoutAmount >= limits.minimumPayout) {
    const amount = dollars(nextPayoutAmount)
    const date = formatUtcDay(nextPayoutAt)
    return nextPayoutAmount > available
      ? t`Next payout: ${amount} on ${date}, including sales that clear by then.`
      : t`Next payout: ${amount} on ${date}.`
  }
  const minimum = dollars(limits.minimumPayout)
  return available < limits.minimumPayout ? t`Payouts start at ${minimum}.` : t`Withdraw any time.`
}

function MonthComparison({ current, previous }: { current: number; previous: number }) {
  if (previous <= 0) {
    return current > 0 ? t`Nothing by this date last month.` : t`Nothing by this date last month either.`
  }
  const percent = Math.round((current / previous - 1) * 100)
  const color = percent === 0 ? 'muted' : percent > 0 ? 'success.text' : 'danger.text'
  const change = numberFormat({ style: 'percent', signDisplay: 'exceptZero' }).format(percent / 100)
  const previousAmount = dollars(previous)
  return (
    <Trans>
      <Box as="span" color={color} fontWeight="semibold" fontVariantNumeric="tabular-nums">
        {change}
      </Box>{' '}
      vs. {previousAmount} by this date last month, after fees
    </Trans>
  )
}

const periods = ['30d', '3m', '12m'] as const
type Period = (typeof periods)[number]

/**
 * Shows the earnings of the last 12 months, the last 30 days or a custom range of days. If there were earnings more
 * than 3 months ago, the user can also select the last 3 months. The URL contains the selection, so that it is the same
 * after going back from the transactions of a day.
 */
function EarningsOverTime({ months }: Pick<EarningsOverview, 'months'>) {
  const [params, changeParams] = useUrlParams()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const hasEarlierEarnings = months.slice(0, -3).some(({ amount }) => amount !== 0)
  const last30Days = lastDays(30)
  const customRange = DayRange.safeParse({ from: params.get('from'), to: params.get('to') }).data
  const period = customRange ? 'custom' : (periods.find((name) => name === params.get('period')) ?? '12m')
  const showPeriod = (selected: Period) => changeParams({ period: selected, from: null, to: null })
  const range = period === '30d' ? last30Days : customRange
  const customDays = customRange && formatDayRange(customRange)
  const picker = (
    <Box alignSelf="center" flexShrink={0} marginBlock="-1">
      <SegmentedControl
        label={t`Period`}
        options={[
          { value: '30d', label: t`30D`, name: t`30D, last 30 days` },
          ...(hasEarlierEarnings ? [{ value: '3m' as const, label: t`3M`, name: t`3M, last 3 months` }] : []),
          { value: '12m', label: t`12M`, name: t`12M, last 12 months` },
          {
            value: 'custom',
            label: (
              <Box as="span" display="inline-flex" verticalAlign="middle" fontSize="lg">
                <CalendarIcon />
              </Box>
            ),
            name: customDays ? t`Custom: ${customDays}` : t`Custom…`,
          },
        ]}
        value={period}
        onChange={(value) => {
          if (value === 'custom') setIsDialogOpen(true)
          else showPeriod(value)
        }}
      />
      <DayRangeDialog
        open={isDialogOpen}
        onClose={() => setIsDialogOpen(false)}
        initial={range ?? last30Days}
        onSubmit={(days) =>
          isLast30Days(days) ? showPeriod('30d') : changeParams({ period: null, ...days })
        }
      />
    </Box>
  )
  if (range) return <EarningsByDay range={range} action={picker} />
  const monthCount = period === '3m' ? 3 : 12
  const total = dollars(months.slice(-monthCount).reduce((sum, { amount }) => sum + amount, 0))
  return (
    <EarningsSection
      title={t`Earnings by month`}
      text={t`${total} in the last ${monthCount} months, after fees`}
      action={picker}
    >
      <Suspense fallback={chartSkeleton}>
        <EarningsChart months={months} count={monthCount} />
      </Suspense>
    </EarningsSection>
  )
}

const chartSkeleton = <Skeleton height="15rem" borderRadius="md" />

function isLast30Days({ from, to }: DayRange): boolean {
  const last30Days = lastDays(30)
  return from === last30Days.from && to === last30Days.to
}

/** Shows the earnings of a range of days, compared with the same number of days before it. */
function EarningsByDay({ range, action }: { range: DayRange; action: ReactNode }) {
  const earnings = useQuery(earningsByDayQuery(range))
  const { data, isError, isPlaceholderData, refetch } = earnings
  const total = dollars(data?.total ?? 0)
  // While another range loads, the previous one is shown.
  const shown = {
    from: data?.days[0]?.day ?? range.from,
    to: data?.days.at(-1)?.day ?? range.to,
  }
  const dayCount = countDays(shown)
  const days = formatDayRange(shown)
  const titles = { day: t`Earnings by day`, week: t`Earnings by week`, month: t`Earnings by month` }
  return (
    <EarningsSection
      title={titles[chartUnit(dayCount)]}
      text={
        data && (
          <Box opacity={isPlaceholderData ? 0.5 : undefined}>
            {isLast30Days(shown)
              ? t`${total} in the last ${dayCount} days, after fees`
              : t`${total}, ${days}, after fees`}{' '}
            <ComparisonText
              comparison={compareAmounts(data.total, data.previousTotal, dollars)}
              days={data.days.length}
            />
          </Box>
        )
      }
      action={action}
    >
      {data ? (
        <Box opacity={isPlaceholderData ? 0.5 : undefined} aria-busy={isPlaceholderData || undefined}>
          <RefreshError query={earnings} />
          <Suspense fallback={chartSkeleton}>
            <EarningsChart byDay={data} />
          </Suspense>
        </Box>
      ) : isError ? (
        <ErrorState message={t`Couldn't load your earnings. Try again.`} onRetry={() => void refetch()} />
      ) : (
        <Loading label={t`Loading your earnings`}>{chartSkeleton}</Loading>
      )}
    </EarningsSection>
  )
}

/** Shows the earnings of the last 12 months by source, largest first, including sources without earnings. */
function EarningSources({ sources }: { sources: EarningsOverview['sources'] }) {
  const emptySources = EarningSource.options
    .filter((source) => !sources.some((entry) => entry.source === source))
    .map((source) => ({ source, amount: 0, percentage: 0 }))
  const parts = [...sources, ...emptySources].map(({ source, amount, percentage }) => ({
    name: t(earningSourceNames[source]),
    value: amount,
    percentage,
  }))
  return (
    <EarningsSection title={t`Revenue Sources`} text={t`Last 12 months, after fees`}>
      <ShareBar label={t`Revenue Sources`} head={[t`Source`, t`Earned`]} parts={parts} format={dollars} />
    </EarningsSection>
  )
}

function OverviewSkeleton() {
  return (
    <Loading label={t`Loading your earnings`} css={gridStyle}>
      <Box css={cardGridStyle}>
        {Object.keys(amountCardNames).map((card) => (
          <Card inset key={card} padding={{ base: '4', md: '5' }} minHeight={{ base: '9rem', md: '11.5rem' }}>
            <Skeleton height="4" width="50%" marginTop="2.5" />
            <Skeleton height="9" width="70%" marginTop="4" />
            <Skeleton height="3" width="90%" marginTop="4" />
            <Skeleton height="3" width="40%" marginTop="4" />
          </Card>
        ))}
      </Box>
      <Card inset padding={{ base: '4', md: '5' }}>
        <Skeleton height="4" width="30%" />
        <Skeleton height="14rem" marginTop="5" borderRadius="md" />
      </Card>
    </Loading>
  )
}
