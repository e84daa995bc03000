import { Box } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { dollars } from '@/lib/format'
import { formatDateTime } from '../model'
import { ProgressBar } from './ProgressBar'

/** Why nothing can be paid out now, and when it can: too little is there, or no method may be used yet. */
export function PayoutUnavailable({ available, methods }: { available: number; methods: PayoutMethod[] }) {
  if (available < limits.minimumPayout) {
    return (
      <Box paddingBlock="2">
        <Box textStyle="label">The minimum payout is {dollars(limits.minimumPayout)}.</Box>
        <Box color="muted" marginTop="1" marginBottom="4" fontVariantNumeric="tabular-nums">
          You have {dollars(available)} available: {dollars(limits.minimumPayout - available)} to go.
        </Box>
        <ProgressBar
          label="Available of the minimum payout"
          share={available / limits.minimumPayout}
          text={`${dollars(available)} of ${dollars(limits.minimumPayout)}`}
        />
      </Box>
    )
  }
  const [first] = methods.toSorted((a, b) => Date.parse(a.usableFrom) - Date.parse(b.usableFrom))
  return (
    <Box paddingBlock="2">
      <Box textStyle="label">
        {first ? 'Your payout method cannot be used yet.' : 'You have no payout method yet.'}
      </Box>
      <Box color="muted" marginTop="1">
        {first ? (
          <>
            It was added or changed less than {limits.payoutMethodHoldDays} days ago. <bdi>{first.name}</bdi>{' '}
            · {first.details} can be used from {formatDateTime(first.usableFrom)}.
          </>
        ) : (
          `Add one: it waits ${limits.payoutMethodHoldDays} days before money can go there.`
        )}
      </Box>
    </Box>
  )
}
