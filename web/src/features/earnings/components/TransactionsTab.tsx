import { Box } from '@chakra-ui/react'
import {
  type EarningsOverview,
  type Transaction,
  TransactionsCard,
  TransactionType,
} from '@contract/earnings.ts'
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useUrlParams } from '@/lib/url-params'
import { Button, ButtonLink } from '@/ui/Button'
import { formatDayRange } from '@/ui/charts/time-axis'
import { DayField, isFilterDay } from '@/ui/DayField'
import { SelectField } from '@/ui/Field'
import { AppliedFilter } from '@/ui/FilterChips'
import { DownloadIcon } from '@/ui/icons'
import { CoinsIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { overviewQuery, type TransactionFilter, transactionsQuery, useExportTransactions } from '../api'
import { amountCardNames, formatUtcDay, type OverviewCard, transactionTypeFilters } from '../model'
import { TransactionListSkeleton, TransactionTable } from './TransactionTable'

/**
 * Shows the creator's transactions. `?type=` filters by type, `?from=` and `?to=` by date, and `?of=` shows only those
 * that make up the amount on a card of the overview or in the chart. Chips show the filters by date and by amount. The
 * export contains all transactions that match the filter, and is disabled while a field shows a day that is not applied
 * to the filter yet. If the last day is before the first, the field of the last day says so and nothing is requested.
 */
export function TransactionsTab() {
  const [params, changeParams] = useUrlParams()
  const getDay = (name: 'from' | 'to') => {
    const day = params.get(name)
    return day && isFilterDay(day) ? day : undefined
  }
  const filter: TransactionFilter = {
    type: TransactionType.safeParse(params.get('type')).data,
    of: TransactionsCard.safeParse(params.get('of')).data,
    from: getDay('from'),
    to: getDay('to'),
  }
  const isReversed = filter.from !== undefined && filter.to !== undefined && filter.from > filter.to
  const [isFirstDayUnapplied, setFirstDayUnapplied] = useState(false)
  const [isLastDayUnapplied, setLastDayUnapplied] = useState(false)
  const exportTransactions = useExportTransactions()
  const list = useRef<HTMLDivElement>(null)
  const removeFilters = (names: (keyof TransactionFilter)[]) => {
    changeParams(Object.fromEntries(names.map((name) => [name, null])))
    // The pressed chip is unmounted.
    list.current?.focus({ preventScroll: true })
  }
  const period = isReversed ? undefined : periodName(filter)
  const card =
    filter.of === 'earnings'
      ? t`Sales and refunds`
      : filter.of && !breakdownCard(filter)
        ? t(amountCardNames[filter.of])
        : undefined
  return (
    <Box display="grid" gap={{ base: '3', md: '4' }}>
      <Box
        display="grid"
        gridTemplateColumns={{
          base: 'repeat(2, minmax(0, 1fr))',
          md: 'minmax(0, 16rem) repeat(2, minmax(0, 11rem)) 1fr',
        }}
        gap="3"
      >
        <Box gridColumn={{ base: '1 / -1', md: 'auto' }}>
          <SelectField
            label={t`Type`}
            value={filter.type ?? ''}
            onChange={(event) => changeParams({ type: event.target.value })}
          >
            <option value="">{t`All transactions`}</option>
            {TransactionType.options.map((type) => (
              <option key={type} value={type}>
                {t(transactionTypeFilters[type])}
              </option>
            ))}
          </SelectField>
        </Box>
        <DayField
          label={t`From (UTC)`}
          day={filter.from ?? ''}
          max={filter.to}
          onDayChange={(from) => changeParams({ from })}
          onUnappliedChange={setFirstDayUnapplied}
        />
        <DayField
          label={t`To (UTC)`}
          day={filter.to ?? ''}
          min={filter.from}
          onDayChange={(to) => changeParams({ to })}
          onUnappliedChange={setLastDayUnapplied}
          error={isReversed ? t`Can't be before the start date.` : undefined}
        />
        <Button
          variant="outline"
          minHeight="12"
          gridColumn={{ base: '1 / -1', md: 'auto' }}
          alignSelf="start"
          // Aligns the button with the fields, which have a label above them.
          marginTop={{ md: 'calc(1.3 * {fontSizes.md} + {spacing.1.5})' }}
          justifySelf={{ md: 'end' }}
          pending={exportTransactions.isPending}
          pendingLabel={t`Exporting…`}
          disabled={isReversed || isFirstDayUnapplied || isLastDayUnapplied}
          onClick={() => exportTransactions.mutate(filter)}
        >
          <DownloadIcon />
          {t`Export`}
        </Button>
      </Box>
      {(period ?? card) && (
        <Box display="flex" flexWrap="wrap" gap="2">
          {period && <AppliedFilter label={period} onRemove={() => removeFilters(['from', 'to'])} />}
          {card && <AppliedFilter label={card} onRemove={() => removeFilters(['of'])} />}
        </Box>
      )}
      <Card as="section" aria-label={t`Transactions`} inset overflow="hidden" ref={list} tabIndex={-1}>
        {isReversed ? <NoTransactions filter={filter} /> : <TransactionList filter={filter} />}
      </Card>
    </Box>
  )
}

/** Returns the name of the filter's period, such as 'Nov 3, 2026', or undefined if the filter has none. */
function periodName({ from, to }: TransactionFilter): string | undefined {
  if (from && to) return formatDayRange({ from, to })
  const day = from ?? to
  if (!day) return undefined
  const date = formatUtcDay(day)
  return from ? t`From ${date}` : t`Until ${date}`
}

/** Returns the overview card if the filter selects all of its transactions. They are then shown with their sum. */
const breakdownCard = ({ of, type, from, to }: TransactionFilter): OverviewCard | undefined =>
  of === 'earnings' || type || from || to ? undefined : of

function TransactionList({ filter }: { filter: TransactionFilter }) {
  const list = useInfiniteQuery(transactionsQuery(filter))
  if (list.isPending) return <TransactionListSkeleton />
  if (!list.data) {
    return (
      <ErrorState
        message={t`Couldn't load your transactions. Try again.`}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const transactions = list.data.pages.flatMap((page) => page.items)
  const card = breakdownCard(filter)
  return (
    <>
      {card && <AmountBreakdown card={card} transactions={transactions} isComplete={!list.hasNextPage} />}
      <RefreshError query={list} />
      {transactions.length === 0 ? (
        <NoTransactions filter={filter} />
      ) : (
        <TransactionTable transactions={transactions} />
      )}
      <ShowMoreButton list={list} />
    </>
  )
}

const cardAmounts: Record<OverviewCard, (overview: EarningsOverview) => number> = {
  available: ({ available }) => available,
  pending: ({ pending }) => pending,
  this_month: ({ thisMonth }) => thisMonth,
  last_30_days: ({ last30Days }) => last30Days,
}

/**
 * Shows the sum of the loaded transactions of a card. While some of them have not been loaded (`isComplete` is false),
 * also shows the amount of the card.
 */
function AmountBreakdown({
  card,
  transactions,
  isComplete,
}: {
  card: OverviewCard
  transactions: Transaction[]
  isComplete: boolean
}) {
  const { data } = useQuery(overviewQuery)
  const cardName = t(amountCardNames[card])
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      gap="3"
      padding={{ base: '4', md: '5' }}
      borderBottomWidth="1px"
      bg="ember.wash"
    >
      <Box fontVariantNumeric="tabular-nums">
        <Box as="h2" textStyle="title">
          {card === 'last_30_days' ? t`Earnings in the last 30 days` : t`What's in “${cardName}”`}
        </Box>
        {data && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {breakdownText(card, transactions, isComplete, data)}
          </Box>
        )}
      </Box>
      <ButtonLink to={paths.earnings.getHref('transactions')} variant="outline" size="sm" replace>
        {t`All transactions`}
      </ButtonLink>
    </Box>
  )
}

/** Returns how many transactions are listed, and what they add up to. */
function breakdownText(
  card: OverviewCard,
  transactions: Transaction[],
  isComplete: boolean,
  overview: EarningsOverview,
): string {
  const count = transactions.length
  const sum = dollars(sumAmounts(transactions))
  if (!isComplete) {
    const total = dollars(cardAmounts[card](overview))
    return plural(count, {
      one: `First transaction: ${sum} of ${total}`,
      other: `First # transactions: ${sum} of ${total}`,
    })
  }
  if (card === 'last_30_days') {
    const projection = dollars(overview.yearlyProjection)
    return plural(count, {
      one: `# transaction, ${sum} in total. At this rate, ${projection} a year.`,
      other: `# transactions, ${sum} in total. At this rate, ${projection} a year.`,
    })
  }
  return plural(count, {
    one: `# transaction, ${sum} in total`,
    other: `# transactions, ${sum} in total`,
  })
}

/** Returns the sum of the amounts, calculated in whole cents to avoid rounding errors. */
function sumAmounts(transactions: Transaction[]): number {
  return transactions.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100
}

function NoTransactions({ filter }: { filter: TransactionFilter }) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <EmptyState
      illustration={<CoinsIllustration />}
      title={isFiltered ? t`No matching transactions` : t`No transactions yet`}
      text={
        isFiltered
          ? t`Show all transactions, or choose another type or other days.`
          : t`Your subscriptions, tips and unlocks will appear here, with your share of each.`
      }
      action={
        isFiltered ? (
          <ButtonLink to={paths.earnings.getHref('transactions')} variant="outline" replace>
            {t`All transactions`}
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.home.getHref()} variant="ember">
            {t`Write a premium post`}
          </ButtonLink>
        )
      }
    />
  )
}
