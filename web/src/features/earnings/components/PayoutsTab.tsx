import { Box, chakra } from '@chakra-ui/react'
import type { Payout, PayoutSchedule } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { dollars } from '@/lib/format'
import { fullTime } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { CoinsIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { Switch } from '@/ui/Switch'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { overviewQuery } from '../api'
import { formatDateTime, formatUtcDay } from '../model'
import { payoutScheduleQuery, payoutsQuery, useSetPayoutSchedule } from '../payouts-api'
import { EarningsSection, TransactionsLink } from './EarningsSection'
import { PayoutMethods } from './PayoutMethods'
import { RequestPayoutDialog } from './RequestPayoutDialog'

/** Shows the payout methods, the payout schedule, and the past payouts. */
export function PayoutsTab() {
  const [isRequestingPayout, setIsRequestingPayout] = useState(false)
  const gridStyle = { display: 'grid', gap: { base: '2', md: '4' }, alignItems: 'start' }
  return (
    <Box css={gridStyle}>
      <Box css={{ ...gridStyle, gridTemplateColumns: { base: '1fr', lg: 'minmax(0, 2fr) minmax(0, 1fr)' } }}>
        <PayoutMethods />
        <NextPayout onRequest={() => setIsRequestingPayout(true)} />
      </Box>
      <PayoutHistory />
      <RequestPayoutDialog open={isRequestingPayout} onClose={() => setIsRequestingPayout(false)} />
    </Box>
  )
}

/** Shows the payout schedule and the available balance, with a button that requests a payout now. */
function NextPayout({ onRequest }: { onRequest: () => void }) {
  const overview = useQuery(overviewQuery)
  return (
    <EarningsSection
      title="Payout schedule"
      text={`All that is available, from ${dollars(limits.minimumPayout)}.`}
    >
      <WeeklyPayoutSwitch />
      <Box borderTopWidth="1px" marginTop="4" paddingTop="4">
        {overview.isError && !overview.data ? (
          <InlineError text="What is available did not load." onRetry={() => void overview.refetch()} />
        ) : (
          <Box position="relative" display="flex" justifyContent="space-between" gap="4" marginBottom="3">
            <Box>
              <Box color="muted">Available</Box>
              <TransactionsLink card="available" />
            </Box>
            <Box textStyle="heading" fontVariantNumeric="tabular-nums">
              {overview.data ? dollars(overview.data.available) : <Skeleton width="6rem" height="7" />}
            </Box>
          </Box>
        )}
        <Button variant="ember" width="100%" onClick={onRequest}>
          Request Instant Payout
        </Button>
      </Box>
    </EarningsSection>
  )
}

function WeeklyPayoutSwitch() {
  const schedule = useQuery(payoutScheduleQuery)
  const setSchedule = useSetPayoutSchedule()
  // The optimistic update of the cache is asynchronous. Without this state, the switch would flip back for a moment.
  const [pendingValue, setPendingValue] = useState<boolean | null>(null)
  if (schedule.isPending) {
    return (
      <Loading label="Loading the schedule">
        <Skeleton height="4" width="40%" />
        <Skeleton height="3" width="70%" marginTop="2" />
      </Loading>
    )
  }
  if (!schedule.data) {
    return <InlineError text="The schedule did not load." onRetry={() => void schedule.refetch()} />
  }
  const weekly = pendingValue ?? schedule.data.weekly
  return (
    <Switch
      label="Weekly"
      hint={weekly ? nextPayoutText(schedule.data) : 'Only when you ask'}
      checked={weekly}
      onChange={(checked) => {
        setPendingValue(checked)
        setSchedule.mutate(checked, { onSettled: () => setPendingValue(null) })
      }}
    />
  )
}

function nextPayoutText({ nextAt, waitsForMethod }: PayoutSchedule): string {
  if (!nextAt) return 'Begins once you have a payout method'
  // With the time of day, as in the method's own row.
  if (waitsForMethod)
    return `Next payout on ${formatDateTime(nextAt)}: your payout method can be used from then`
  return `Next payout on ${formatUtcDay(nextAt)}`
}

function PayoutHistory() {
  return (
    <EarningsSection title="Payout history" flush>
      <PayoutList />
    </EarningsSection>
  )
}

function PayoutList() {
  const list = useInfiniteQuery(payoutsQuery)
  if (list.isPending) return <PayoutListSkeleton />
  if (!list.data) {
    return <ErrorState message="Your payouts did not load." onRetry={() => void list.refetch()} />
  }
  const payouts = list.data.pages.flatMap((page) => page.items)
  if (payouts.length === 0) {
    return (
      <EmptyState
        as="h3"
        illustration={<CoinsIllustration />}
        title="No payouts yet"
        text="Each payout stands here, with where it went and whether it arrived."
      />
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {payouts.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

const stateBadges: Record<Payout['state'], { name: string; tone: ComponentProps<typeof Badge>['tone'] }> = {
  requested: { name: 'Requested', tone: 'gold' },
  paid: { name: 'Paid', tone: 'success' },
  failed: { name: 'Failed', tone: 'danger' },
}

const NoWrap = chakra('span', { base: { whiteSpace: 'nowrap' } })

function PayoutRow({ payout }: { payout: Payout }) {
  const badge = stateBadges[payout.state]
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
          <NoWrap asChild>
            <time dateTime={payout.createdAt} title={fullTime(payout.createdAt)}>
              {formatUtcDay(payout.createdAt)}
            </time>
          </NoWrap>
          {payout.settledAt && payout.state === 'paid' && (
            <>
              {' '}
              · <NoWrap>paid {formatUtcDay(payout.settledAt)}</NoWrap>
            </>
          )}
          {payout.reference && (
            // On a line of its own on phones.
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
        <Badge tone={badge.tone}>{badge.name}</Badge>
      </Box>
    </Box>
  )
}

function PayoutListSkeleton() {
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
