import { Box, chakra } from '@chakra-ui/react'
import type { Transaction } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { usePaymentsConfig } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { fullTime, useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { CoinIcon } from '@/ui/icons'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { formatUtcDay, isSalePending, transactionDescription, transactionTypeNames } from '../model'

const Table = chakra('table', {
  base: {
    width: '100%',
    tableLayout: 'fixed',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    '& th, & td': { paddingInline: '2', textAlign: 'end', verticalAlign: 'top' },
    '& th:first-of-type, & td:first-of-type': {
      textAlign: 'start',
      paddingInlineStart: { base: '4', md: '5' },
    },
    '& th:last-of-type, & td:last-of-type': { paddingInlineEnd: { base: '4', md: '5' } },
    '& thead th': { paddingBlock: '3', textStyle: 'small', fontWeight: 'medium', color: 'muted' },
    '& tbody tr': { borderTopWidth: '1px' },
    // The same line height as the description, so that the amounts align with its first line.
    '& tbody td': { paddingBlock: '3.5', lineHeight: 'snug' },
    '& tbody tr:hover': { bg: 'hover' },
  },
})

const HeaderCell = chakra('th')

/** For columns whose values are shown below the net amount on phones. */
const desktopOnly = { hideBelow: 'md' } as const

/** Shows transactions with the buyer, the gross amount, the platform fee and the net amount. */
export function TransactionTable({ transactions }: { transactions: Transaction[] }) {
  const now = useNow()
  const { payments } = usePaymentsConfig(true)
  return (
    <Table>
      <Box as="caption" srOnly>
        {t`Transactions, newest first`}
      </Box>
      <thead>
        <tr>
          <th scope="col">{t`Transaction`}</th>
          <HeaderCell scope="col" width="6.5rem" {...desktopOnly}>
            {t`Gross`}
          </HeaderCell>
          <HeaderCell scope="col" width="6.5rem" {...desktopOnly}>
            {t`Fee`}
          </HeaderCell>
          <HeaderCell scope="col" width={{ base: '7rem', md: '7.5rem' }}>
            {t`Net`}
          </HeaderCell>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => {
          // In test mode, the badge on `EarningsPage` already says that no money is real. In other modes, test money
          // never becomes available, so it is not pending either.
          const showsTestMoney = transaction.isTest && payments !== undefined && payments !== 'test'
          return (
            <TransactionRow
              key={transaction.id}
              transaction={transaction}
              isPending={!showsTestMoney && isSalePending(transaction, now)}
              showsTestMoney={showsTestMoney}
            />
          )
        })}
      </tbody>
    </Table>
  )
}

function TransactionRow({
  transaction,
  isPending,
  showsTestMoney,
}: {
  transaction: Transaction
  isPending: boolean
  showsTestMoney: boolean
}) {
  const { person: buyer, gross, fee } = transaction
  const hasGross = gross !== 0
  const grossText = dollars(gross)
  const feeText = dollars(fee)
  const clearingDay = formatUtcDay(transaction.clearsAt)
  return (
    <tr>
      <td>
        <Box display="flex" gap="3">
          {buyer ? (
            <Avatar size="sm" user={{ ...buyer, displayName: displayName(buyer) }} />
          ) : (
            <AvatarPlaceholder />
          )}
          <Box minWidth="0" overflowWrap="anywhere">
            <Box textStyle="label">
              <bdi>{transactionDescription(transaction)}</bdi>
            </Box>
            <Box textStyle="small" color="muted" marginTop="0.5">
              {t(transactionTypeNames[transaction.type])}
              {buyer && (
                <>
                  {' · '}
                  <Box
                    asChild
                    textDecoration="underline"
                    textUnderlineOffset="0.2em"
                    _hover={{ color: 'text' }}
                  >
                    <Link to={paths.profile.getHref(buyer.handle)} dir="ltr">
                      @{buyer.handle}
                    </Link>
                  </Box>
                </>
              )}
              {' · '}
              <Box asChild whiteSpace="nowrap">
                <time dateTime={transaction.date} title={fullTime(transaction.date)}>
                  {formatUtcDay(transaction.date)}
                </time>
              </Box>
              {showsTestMoney && (
                <>
                  {' '}
                  <Badge>{t`Test money`}</Badge>
                </>
              )}
              {isPending && (
                <Badge tone="gold" marginStart={{ md: '2' }}>
                  {t`Pending until ${clearingDay}`}
                </Badge>
              )}
            </Box>
          </Box>
        </Box>
      </td>
      <Box as="td" {...desktopOnly}>
        {hasGross ? grossText : '–'}
      </Box>
      <Box as="td" color="muted" {...desktopOnly}>
        {hasGross ? dollars(-fee) : '–'}
      </Box>
      <td>
        <Box textStyle="label">{dollars(transaction.amount)}</Box>
        {hasGross && (
          <Box textStyle="caption" color="muted" marginTop="0.5" hideFrom="md">
            {t`of ${grossText}`}
            <br />
            {t`fee ${feeText}`}
          </Box>
        )}
      </td>
    </tr>
  )
}

/** Shown in place of the avatar if there is no buyer, the buyer's account was deleted, or a block hides the buyer. */
function AvatarPlaceholder() {
  return (
    <Box
      aria-hidden
      display="grid"
      placeItems="center"
      flexShrink={0}
      width="8"
      height="8"
      borderRadius="full"
      bg="sunken"
      color="muted"
      fontSize="lg"
    >
      <CoinIcon />
    </Box>
  )
}

/** Shows placeholders while the transactions load. */
export function TransactionListSkeleton() {
  return (
    <Loading label={t`Loading your transactions`}>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
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
