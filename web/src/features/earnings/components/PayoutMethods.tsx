import { Box } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { PlusIcon } from '@/ui/icons'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { payoutMethodsQuery } from '../payout-methods-api'
import { EarningsSection } from './EarningsSection'
import { PayoutMethodDialog } from './PayoutMethodDialog'
import { PayoutMethodRow } from './PayoutMethodRow'
import { RemoveMethodDialog } from './RemoveMethodDialog'

/** A dialog, and the method that it is about: it still says so while it closes. Editing none is adding one. */
type About = { open: boolean; method: PayoutMethod | null }
const closed: About = { open: false, method: null }

/** Where money can be sent; added, changed, made the default and removed here. */
export function PayoutMethods() {
  const methods = useQuery(payoutMethodsQuery)
  const [editing, edit] = useState(closed)
  const [removing, remove] = useState(closed)
  const add = useRef<HTMLButtonElement>(null)
  const isThere = (method: PayoutMethod | null) => methods.data?.some(({ id }) => id === method?.id)
  const isFull = (methods.data?.length ?? 0) >= limits.maxPayoutMethods
  return (
    <EarningsSection
      title="Payout methods"
      text="Where your money is sent. Details are encrypted and never shown in full."
      flush
    >
      {methods.isPending && <Waiting />}
      {methods.isError && !methods.data && (
        <ErrorState message="Your payout methods did not load." onRetry={() => void methods.refetch()} />
      )}
      {methods.data?.length === 0 && (
        <EmptyState
          as="h3"
          title="No payout method yet"
          text={`Add one now: it waits ${limits.payoutMethodHoldDays} days before money can go there.`}
        />
      )}
      <Box as="ul" listStyleType="none">
        {methods.data?.map((method) => (
          <PayoutMethodRow
            key={method.id}
            method={method}
            onEdit={() => edit({ open: true, method })}
            onRemove={() => remove({ open: true, method })}
          />
        ))}
      </Box>
      <Box padding={{ base: '4', md: '5' }} borderTopWidth="1px">
        <Button
          ref={add}
          variant="outline"
          disabled={methods.isPending || isFull}
          onClick={() => edit({ open: true, method: null })}
        >
          <PlusIcon />
          Add New Payout Method
        </Button>
        {isFull && (
          <Box textStyle="small" color="muted" marginTop="2">
            You can have at most {limits.maxPayoutMethods} payout methods.
          </Box>
        )}
      </Box>
      <PayoutMethodDialog {...editing} onClose={() => edit({ ...editing, open: false })} />
      <RemoveMethodDialog
        {...removing}
        onClose={() => remove({ ...removing, open: false })}
        finalFocus={() => (isThere(removing.method) ? null : add.current)}
      />
    </EarningsSection>
  )
}

function Waiting() {
  return (
    <Loading
      label="Loading payout methods"
      display="flex"
      alignItems="center"
      gap="4"
      padding="5"
      borderTopWidth="1px"
    >
      <SkeletonCircle size="10" />
      <Box flex="1">
        <Skeleton height="3.5" width="40%" />
        <Skeleton height="3" width="60%" marginTop="2" />
      </Box>
    </Loading>
  )
}
