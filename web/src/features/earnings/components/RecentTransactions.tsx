import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { IconButton } from '@/ui/IconButton'
import { DownloadIcon } from '@/ui/icons'
import { lineTarget, TextLink } from '@/ui/layout'
import { ErrorState } from '@/ui/states'
import { transactionsQuery, useExportTransactions } from '../api'
import { EarningsSection } from './EarningsSection'
import { TransactionListSkeleton, TransactionTable } from './TransactionTable'

const maxRows = 5

/** Shows the latest transactions, or nothing if there are none. */
export function RecentTransactions() {
  // The Transactions tab uses the same query when no filter is set.
  const list = useInfiniteQuery(transactionsQuery({}))
  const exportTransactions = useExportTransactions()
  const transactions = list.data?.pages.flatMap((page) => page.items).slice(0, maxRows)
  if (transactions?.length === 0) return null
  return (
    <EarningsSection
      title={t`Recent transactions`}
      action={
        <Box display="flex" alignItems="center" flexShrink={0} alignSelf="center" gap="1" marginBlock="-3">
          <IconButton
            label={t`Export`}
            aria-disabled={exportTransactions.isPending || undefined}
            aria-busy={exportTransactions.isPending || undefined}
            onClick={() => {
              if (!exportTransactions.isPending) exportTransactions.mutate({})
            }}
          >
            <DownloadIcon />
          </IconButton>
          <TextLink to={paths.earnings.getHref('transactions')} textStyle="small" {...lineTarget}>
            {t`View all`}
          </TextLink>
        </Box>
      }
      flush
    >
      {transactions ? (
        <TransactionTable transactions={transactions} />
      ) : list.isPending ? (
        <TransactionListSkeleton />
      ) : (
        <ErrorState
          message={t`Couldn't load your transactions. Try again.`}
          onRetry={() => void list.refetch()}
        />
      )}
    </EarningsSection>
  )
}
