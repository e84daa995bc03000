import { Box, chakra } from '@chakra-ui/react'
import type { Payout } from '@contract/earnings.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { dollars, fullTime } from '@/lib/format'
import { Badge } from '@/ui/Badge'
import { CoinsIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { formatUtcDay } from '../model'
import { payoutsQuery } from '../payouts-api'
import { EarningsSection } from './EarningsSection'

const states: Record<Payout['state'], { name: string; tone: ComponentProps<typeof Badge>['tone'] }> = {
  requested: { name: 'Requested', tone: 'gold' },
  paid: { name: 'Paid', tone: 'success' },
  failed: { name: 'Failed', tone: 'danger' },
}

/** What was asked to be paid out, the latest first, and what became of it. */
export function PayoutHistory() {
  return (
    <EarningsSection title="Payout history" flush>
      <Listed />
    </EarningsSection>
  )
}

function Listed() {
  const list = useInfiniteQuery(payoutsQuery)
  if (list.isPending) return <Waiting />
  if (!list.data) {
    return <ErrorState message="Your payouts did not load." onRetry={() => void list.refetch()} />
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        drawing={<CoinsIllustration />}
        title="No payouts yet"
        text="Each payout stands here, with where it went and whether it arrived."
      />
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {items.map((payout) => (
          <Row key={payout.id} payout={payout} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

/** Is not broken over lines. */
const Whole = chakra('span', { base: { whiteSpace: 'nowrap' } })

function Row({ payout }: { payout: Payout }) {
  const state = states[payout.state]
  return (
    <Box
      as="li"
      display="flex"
      justifyContent="space-between"
      gap="4"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">
          <bdi>{payout.methodName}</bdi> · {payout.methodDetails}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {payout.kind === 'instant' ? 'Instant' : 'Weekly'} ·{' '}
          <Whole asChild>
            <time dateTime={payout.createdAt} title={fullTime(payout.createdAt)}>
              {formatUtcDay(payout.createdAt)}
            </time>
          </Whole>
          {payout.settledAt && payout.state === 'paid' && (
            <>
              {' '}
              · <Whole>paid {formatUtcDay(payout.settledAt)}</Whole>
            </>
          )}
          {payout.reference && (
            // On a phone the line below is its own.
            <Box as="span" display={{ base: 'block', md: 'inline' }}>
              <Box as="span" hideBelow="md">
                {' · '}
              </Box>
              reference <bdi>{payout.reference}</bdi>
            </Box>
          )}
        </Box>
        {payout.failure && (
          <Box textStyle="small" color="danger.text" marginTop="0.5">
            <bdi>{payout.failure}</bdi>
            <Box as="span" color="muted">
              {' '}
              The money is back in your balance.
            </Box>
          </Box>
        )}
      </Box>
      <Box display="flex" flexDirection="column" alignItems="flex-end" gap="1.5" flexShrink={0}>
        <Box textStyle="label" fontVariantNumeric="tabular-nums">
          {dollars(payout.amount)}
        </Box>
        <Badge tone={state.tone}>{state.name}</Badge>
      </Box>
    </Box>
  )
}

function Waiting() {
  return (
    <Loading label="Loading your payouts">
      {['first', 'second'].map((row) => (
        <Box key={row} display="flex" justifyContent="space-between" gap="4" padding="5" borderTopWidth="1px">
          <Box flex="1">
            <Skeleton height="3.5" width="40%" />
            <Skeleton height="3" width="55%" marginTop="2" />
          </Box>
          <Skeleton height="4" width="5rem" />
        </Box>
      ))}
    </Loading>
  )
}
