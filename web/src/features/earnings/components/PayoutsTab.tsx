import { Box, chakra } from '@chakra-ui/react'
import type { Payout, PayoutSchedule } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  const gridStyle = { display: 'grid', gap: { base: '3', md: '4' }, alignItems: 'start' }
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
  const minimum = dollars(limits.minimumPayout)
  return (
    <EarningsSection
      title={t`Payout schedule`}
      text={t`Your full available balance, once it reaches ${minimum}.`}
    >
      <WeeklyPayoutSwitch />
      <Box borderTopWidth="1px" marginTop="4" paddingTop="4">
        {overview.isError && !overview.data ? (
          <InlineError
            text={t`Couldn't load your balance. Try again.`}
            onRetry={() => void overview.refetch()}
          />
        ) : (
          <Box position="relative" display="flex" justifyContent="space-between" gap="4" marginBottom="3">
            <Box>
              <Box color="muted">{t`Available`}</Box>
              <TransactionsLink card="available" />
            </Box>
            <Box textStyle="figure" fontSize="2xl">
              {overview.data ? dollars(overview.data.available) : <Skeleton width="6rem" height="7" />}
            </Box>
          </Box>
        )}
        <Button variant="ember" width="100%" onClick={onRequest}>
          {t`Request Instant Payout`}
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
      <Loading label={t`Loading the payout schedule`}>
        <Skeleton height="4" width="40%" />
        <Skeleton height="3" width="70%" marginTop="2" />
      </Loading>
    )
  }
  if (!schedule.data) {
    return (
      <InlineError
        text={t`Couldn't load the payout schedule. Try again.`}
        onRetry={() => void schedule.refetch()}
      />
    )
  }
  const weekly = pendingValue ?? schedule.data.weekly
  return (
    <Switch
      label={t`Weekly`}
      hint={weekly ? nextPayoutText(schedule.data) : t`Off: you withdraw manually`}
      checked={weekly}
      onChange={(checked) => {
        setPendingValue(checked)
        setSchedule.mutate(checked, { onSettled: () => setPendingValue(null) })
      }}
    />
  )
}

function nextPayoutText({ nextAt, waitsForMethod }: PayoutSchedule): string {
  if (!nextAt) return t`Starts when you add a payout method`
  if (waitsForMethod) {
    // Includes the time of day, as the list of payout methods does.
    const time = formatDateTime(nextAt)
    return t`Next payout on ${time}, when your payout method can be used`
  }
  const date = formatUtcDay(nextAt)
  return t`Next payout on ${date}`
}

function PayoutHistory() {
  return (
    <EarningsSection title={t`Payout history`} flush>
      <PayoutList />
    </EarningsSection>
  )
}

function PayoutList() {
  const list = useInfiniteQuery(payoutsQuery)
  if (list.isPending) return <PayoutListSkeleton />
  if (!list.data) {
    return (
      <ErrorState message={t`Couldn't load your payouts. Try again.`} onRetry={() => void list.refetch()} />
    )
  }
  const payouts = list.data.pages.flatMap((page) => page.items)
  if (payouts.length === 0) {
    return (
      <EmptyState
        as="h3"
        illustration={<CoinsIllustration />}
        title={t`No payouts yet`}
        text={t`You'll see every payout here: where it went and whether it arrived.`}
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

type StateBadge = { name: MessageDescriptor; tone: ComponentProps<typeof Badge>['tone'] }
const stateBadges: Record<Payout['state'], StateBadge> = {
  requested: { name: msg`Requested`, tone: 'gold' },
  paid: { name: msg`Paid`, tone: 'success' },
  failed: { name: msg`Failed`, tone: 'danger' },
}

const NoWrap = chakra('span', { base: { whiteSpace: 'nowrap' } })

function PayoutRow({ payout }: { payout: Payout }) {
  const badge = stateBadges[payout.state]
  const { reference } = payout
  const paidDate = payout.settledAt && payout.state === 'paid' && formatUtcDay(payout.settledAt)
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
          {payout.kind === 'instant' ? t`Instant` : t`Weekly`} ·{' '}
          <NoWrap asChild>
            <time dateTime={payout.createdAt} title={fullTime(payout.createdAt)}>
              {formatUtcDay(payout.createdAt)}
            </time>
          </NoWrap>
          {paidDate && (
            <>
              {' '}
              · <NoWrap>{t`paid ${paidDate}`}</NoWrap>
            </>
          )}
          {reference && (
            // On a line of its own on phones.
            <Box as="span" display={{ base: 'block', md: 'inline' }}>
              <Box as="span" hideBelow="md">
                {' · '}
              </Box>
              <Trans>
                reference <bdi>{reference}</bdi>
              </Trans>
            </Box>
          )}
        </Box>
        {payout.failure && (
          <Box textStyle="small" color="danger.text" marginTop="0.5">
            <bdi>{payout.failure}</bdi>
            <Box as="span" color="muted">
              {' '}
              {t`The money is back in your balance.`}
            </Box>
          </Box>
        )}
      </Box>
      <Box display="flex" flexDirection="column" alignItems="flex-end" gap="1.5" flexShrink={0}>
        <Box textStyle="label" fontVariantNumeric="tabular-nums">
          {dollars(payout.amount)}
        </Box>
        {payout.isTest && <Badge>{t`Test money`}</Badge>}
        <Badge tone={badge.tone}>{t(badge.name)}</Badge>
      </Box>
    </Box>
  )
}

function PayoutListSkeleton() {
  return (
    <Loading label={t`Loading your payouts`}>
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
