import { Box } from '@chakra-ui/react'
import type { PayoutSchedule } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { Switch } from '@/ui/Switch'
import { InlineError } from '@/ui/states'
import { overviewQuery } from '../api'
import { amountCardNames, formatDateTime, formatUtcDay } from '../model'
import { payoutScheduleQuery, useSetPayoutSchedule } from '../payout-methods-api'
import { EarningsSection } from './EarningsSection'
import { StretchedLink } from './StretchedLink'

/** When money is paid out by itself, and the way to have it now. */
export function NextPayout({ onRequest }: { onRequest: () => void }) {
  const overview = useQuery(overviewQuery)
  return (
    <EarningsSection
      title="Payout schedule"
      text={`All that is available, from ${dollars(limits.minimumPayout)}.`}
    >
      <Schedule />
      <Box borderTopWidth="1px" marginTop="4" paddingTop="4">
        {overview.isError && !overview.data ? (
          <InlineError text="What is available did not load." onRetry={() => void overview.refetch()} />
        ) : (
          <Box position="relative" display="flex" justifyContent="space-between" gap="4" marginBottom="3">
            <Box>
              <Box color="muted">Available</Box>
              <StretchedLink
                to={paths.earnings.getHref('transactions', 'available')}
                aria-label={`View transactions: ${amountCardNames.available}`}
              >
                View transactions
              </StretchedLink>
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

function Schedule() {
  const schedule = useQuery(payoutScheduleQuery)
  const set = useSetPayoutSchedule()
  // The cache learns of a press a moment later, in which the switch would jump back.
  const [pressed, setPressed] = useState<boolean | null>(null)
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
  const weekly = pressed ?? schedule.data.weekly
  return (
    <Switch
      label="Weekly"
      hint={weekly ? next(schedule.data) : 'Only when you ask'}
      checked={weekly}
      onChange={(on) => {
        setPressed(on)
        set.mutate(on, { onSettled: () => setPressed(null) })
      }}
    />
  )
}

function next({ nextAt, waitsForMethod }: PayoutSchedule): string {
  if (!nextAt) return 'Begins once you have a payout method'
  // The moment that the method itself names.
  if (waitsForMethod)
    return `Next payout on ${formatDateTime(nextAt)}: your payout method can be used from then`
  return `Next payout on ${formatUtcDay(nextAt)}`
}
