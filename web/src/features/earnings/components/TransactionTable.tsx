import { Box, chakra } from '@chakra-ui/react'
import type { Transaction } from '@contract/earnings.ts'
import { Link } from 'react-router-dom'
import { dollars, fullTime } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { CoinIcon } from '@/ui/icons'
import { formatUtcDay, isSalePending, transactionTypeNames } from '../model'

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
    // As the words of its first line, so that all amounts stand on one line.
    '& tbody td': { paddingBlock: '3.5', lineHeight: 'snug' },
    '& tbody tr:hover': { bg: 'hover' },
  },
})

const Head = chakra('th')

/** On a phone these stand below the net amount instead. */
const wide = { hideBelow: 'md' } as const

/** Transactions with who paid, what was paid, the platform's share, and what is left. */
export function TransactionTable({ items }: { items: Transaction[] }) {
  const now = useNow()
  return (
    <Table>
      <Box as="caption" srOnly>
        Transactions, the latest first
      </Box>
      <thead>
        <tr>
          <th scope="col">Transaction</th>
          <Head scope="col" width="6.5rem" {...wide}>
            Gross
          </Head>
          <Head scope="col" width="6.5rem" {...wide}>
            Fee
          </Head>
          <Head scope="col" width={{ base: '7rem', md: '7.5rem' }}>
            Net
          </Head>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.id} item={item} pending={isSalePending(item, now)} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ item, pending }: { item: Transaction; pending: boolean }) {
  const { person, gross, fee } = item
  const sold = gross !== 0
  return (
    <tr>
      <td>
        <Box display="flex" gap="3">
          {person ? (
            <Avatar size="sm" person={{ ...person, displayName: displayName(person) }} />
          ) : (
            <NoFace />
          )}
          <Box minWidth="0" overflowWrap="anywhere">
            <Box textStyle="label">
              <bdi>{item.description}</bdi>
            </Box>
            <Box textStyle="small" color="muted" marginTop="0.5">
              {transactionTypeNames[item.type]}
              {person && (
                <>
                  {' · '}
                  <Box
                    asChild
                    textDecoration="underline"
                    textUnderlineOffset="0.2em"
                    _hover={{ color: 'text' }}
                  >
                    <Link to={paths.profile.getHref(person.handle)}>@{person.handle}</Link>
                  </Box>
                </>
              )}
              {' · '}
              <Box asChild whiteSpace="nowrap">
                <time dateTime={item.date} title={fullTime(item.date)}>
                  {formatUtcDay(item.date)}
                </time>
              </Box>
              {pending && (
                <Badge tone="gold" marginStart={{ md: '2' }}>
                  Pending until {formatUtcDay(item.clearsAt)}
                </Badge>
              )}
            </Box>
          </Box>
        </Box>
      </td>
      <Box as="td" {...wide}>
        {sold ? dollars(gross) : '–'}
      </Box>
      <Box as="td" color="muted" {...wide}>
        {sold ? dollars(-fee) : '–'}
      </Box>
      <td>
        <Box textStyle="label">{dollars(item.amount)}</Box>
        {sold && (
          <Box textStyle="caption" color="muted" marginTop="0.5" hideFrom="md">
            of {dollars(gross)}
            <br />
            fee {dollars(fee)}
          </Box>
        )}
      </td>
    </tr>
  )
}

/** Where nobody in particular paid. */
function NoFace() {
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
