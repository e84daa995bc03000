import { Box } from '@chakra-ui/react'
import { TransactionsCard, TransactionType } from '@contract/earnings.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { transactionTypeFilters } from '../model'
import { type TransactionFilter, transactionsQuery, useExportTransactions } from '../transactions-api'
import { AmountBreakdown } from './AmountBreakdown'
import { TransactionTable } from './TransactionTable'

/** Every sale, refund and payout, one by one; `?type=` shows one type, `?of=` what a card of the overview is made of. */
export function TransactionsTab() {
  const [params, setParams] = useSearchParams()
  const filter: TransactionFilter = {
    type: TransactionType.safeParse(params.get('type')).data,
    of: TransactionsCard.safeParse(params.get('of')).data,
  }
  const download = useExportTransactions()
  const choose = (type: string) => {
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
            onChange={(event) => choose(event.target.value)}
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
          pending={download.isPending}
          pendingLabel="Exporting…"
          onClick={() => download.mutate(filter)}
        >
          Export
        </Button>
      </Box>
      <Card overflow="hidden">
        <Listed filter={filter} />
      </Card>
    </Box>
  )
}

function Listed({ filter }: { filter: TransactionFilter }) {
  const list = useInfiniteQuery(transactionsQuery(filter))
  if (list.isPending) return <Waiting />
  if (!list.data) {
    return <ErrorState message="Your transactions did not load." onRetry={() => void list.refetch()} />
  }
  const items = list.data.pages.flatMap((page) => page.items)
  return (
    <>
      {filter.of && !filter.type && (
        <AmountBreakdown of={filter.of} items={items} whole={!list.hasNextPage} />
      )}
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      {items.length === 0 ? <Nothing filter={filter} /> : <TransactionTable items={items} />}
      <ShowMoreButton list={list} />
    </>
  )
}

function Nothing({ filter }: { filter: TransactionFilter }) {
  const filtered = filter.type !== undefined || filter.of !== undefined
  return (
    <EmptyState
      drawing={<CoinsIllustration />}
      title={filtered ? 'No such transactions' : 'No transactions yet'}
      text={
        filtered
          ? 'There are none of this kind.'
          : 'Subscriptions, tips and premium posts stand here one by one, with what each leaves you.'
      }
      action={
        filtered ? (
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

function Waiting() {
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
