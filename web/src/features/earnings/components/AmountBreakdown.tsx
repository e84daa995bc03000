import { Box } from '@chakra-ui/react'
import type { EarningsOverview, Transaction, TransactionsCard } from '@contract/earnings.ts'
import { useQuery } from '@tanstack/react-query'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { overviewQuery } from '../api'
import { amountCardNames } from '../model'

const figures: Record<TransactionsCard, (overview: EarningsOverview) => number> = {
  available: ({ available }) => available,
  pending: ({ pending }) => pending,
  this_month: ({ thisMonth }) => thisMonth,
  last_30_days: ({ last30Days }) => last30Days,
}

/** Adds up in whole cents: sums of fractions would drift. */
function sum(items: Transaction[]): number {
  return items.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100
}

/**
 * Above the rows that a card is made of: its figure, and the sum of the rows, which is the same once all of them are
 * there (`whole`).
 */
export function AmountBreakdown({
  of,
  items,
  whole,
}: {
  of: TransactionsCard
  items: Transaction[]
  whole: boolean
}) {
  const { data } = useQuery(overviewQuery)
  const rows = items.length === 1 ? '1 transaction' : `${items.length} transactions`
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
          What {of === 'last_30_days' ? 'the last 30 days brought' : `“${amountCardNames[of]}” is made of`}
        </Box>
        {data && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {whole
              ? `${rows}, in sum ${dollars(sum(items))}`
              : `${dollars(figures[of](data))} in all; the first ${rows} are ${dollars(sum(items))}`}
            {of === 'last_30_days' && whole && `. Times 12: ${dollars(data.yearlyProjection)} a year`}.
          </Box>
        )}
      </Box>
      <ButtonLink to={paths.earnings.getHref('transactions')} variant="outline" size="sm" replace>
        All transactions
      </ButtonLink>
    </Box>
  )
}
