import { Box } from '@chakra-ui/react'
import {
  type EarningsOverview,
  type Transaction,
  TransactionsCard,
  TransactionType,
} from '@contract/earnings.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { CoinsIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { overviewQuery, type TransactionFilter, transactionsQuery, useExportTransactions } from '../api'
import { amountCardNames, transactionTypeFilters } from '../model'
import { TransactionTable } from './TransactionTable'

/**
 * Shows the creator's transactions. `?type=` filters by type, `?of=` by the card of the overview to whose amount they
 * contribute.
 */
export function TransactionsTab() {
  const [params, setParams] = useSearchParams()
  const filter: TransactionFilter = {
    type: TransactionType.safeParse(params.get('type')).data,
    of: TransactionsCard.safeParse(params.get('of')).data,
  }
  const exportTransactions = useExportTransactions()
  const setType = (type: string) => {
    const { of } = filter
    setParams(
      { tab: 'transactions', ...(of && { of }), ...(type && { type }) },
      { replace: true, flushSync: true },
    )
  }
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="flex-end"
        justifyContent="space-between"
        gap="3"
        paddingInline={{ base: '4', md: '0' }}
      >
        <Box flex="1" maxWidth="16rem">
          <SelectField
            label="Type"
            value={filter.type ?? ''}
            onChange={(event) => setType(event.target.value)}
          >
            <option value="">All transactions</option>
            {TransactionType.options.map((type) => (
              <option key={type} value={type}>
                {transactionTypeFilters[type]}
              </option>
            ))}
          </SelectField>
        </Box>
        <Button
          variant="outline"
          minHeight="12"
          pending={exportTransactions.isPending}
          pendingLabel="Exporting…"
          onClick={() => exportTransactions.mutate(filter)}
        >
          Export
        </Button>
      </Box>
      <Card overflow="hidden">
        <TransactionList filter={filter} />
      </Card>
    </Box>
  )
}

function TransactionList({ filter }: { filter: TransactionFilter }) {
  const list = useInfiniteQuery(transactionsQuery(filter))
  if (list.isPending) return <TransactionListSkeleton />
  if (!list.data) {
    return <ErrorState message="Your transactions did not load." onRetry={() => void list.refetch()} />
  }
  const transactions = list.data.pages.flatMap((page) => page.items)
  return (
    <>
      {filter.of && !filter.type && (
        <AmountBreakdown card={filter.of} transactions={transactions} isComplete={!list.hasNextPage} />
      )}
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      {transactions.length === 0 ? (
        <NoTransactions filter={filter} />
      ) : (
        <TransactionTable transactions={transactions} />
      )}
      <ShowMoreButton list={list} />
    </>
  )
}

const cardAmounts: Record<TransactionsCard, (overview: EarningsOverview) => number> = {
  available: ({ available }) => available,
  pending: ({ pending }) => pending,
  this_month: ({ thisMonth }) => thisMonth,
  last_30_days: ({ last30Days }) => last30Days,
}

/**
 * Shows the sum of a card's transactions, which equals the card's amount once all of them have loaded (`isComplete`).
 * Until then, shows both.
 */
function AmountBreakdown({
  card,
  transactions,
  isComplete,
}: {
  card: TransactionsCard
  transactions: Transaction[]
  isComplete: boolean
}) {
  const { data } = useQuery(overviewQuery)
  const countText = transactions.length === 1 ? '1 transaction' : `${transactions.length} transactions`
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
        <Box as="h2" textStyle="label">
          What{' '}
          {card === 'last_30_days' ? 'the last 30 days brought' : `“${amountCardNames[card]}” is made of`}
        </Box>
        {data && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {isComplete
              ? `${countText}, in sum ${dollars(sumAmounts(transactions))}`
              : `${dollars(cardAmounts[card](data))} in all; the first ${countText} are ${dollars(sumAmounts(transactions))}`}
            {card === 'last_30_days' && isComplete && `. Times 12: ${dollars(data.yearlyProjection)} a year`}.
          </Box>
        )}
      </Box>
      <ButtonLink to={paths.earnings.getHref('transactions')} variant="outline" size="sm" replace>
        All transactions
      </ButtonLink>
    </Box>
  )
}

/** Adds up in whole cents, to avoid rounding errors. */
function sumAmounts(transactions: Transaction[]): number {
  return transactions.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100
}

function NoTransactions({ filter }: { filter: TransactionFilter }) {
  const isFiltered = filter.type !== undefined || filter.of !== undefined
  return (
    <EmptyState
      illustration={<CoinsIllustration />}
      title={isFiltered ? 'No such transactions' : 'No transactions yet'}
      text={
        isFiltered
          ? 'There are none of this kind.'
          : 'Subscriptions, tips and premium posts stand here one by one, with what each leaves you.'
      }
      action={
        isFiltered ? (
          <ButtonLink to={paths.earnings.getHref('transactions')} variant="outline" replace>
            All transactions
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.home.getHref()} variant="ember">
            Write a premium post
          </ButtonLink>
        )
      }
    />
  )
}

function TransactionListSkeleton() {
  return (
    <Loading label="Loading transactions">
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Box
          key={row}
          display="flex"
          alignItems="center"
          gap="3"
          padding={{ base: '4', md: '5' }}
          borderTopWidth={row === 'first' ? '0' : '1px'}
        >
          <SkeletonCircle size="8" />
          <Box flex="1">
            <Skeleton height="3.5" width="45%" />
            <Skeleton height="3" width="30%" marginTop="2" />
          </Box>
          <Skeleton height="4" width="4.5rem" />
        </Box>
      ))}
    </Loading>
  )
}
