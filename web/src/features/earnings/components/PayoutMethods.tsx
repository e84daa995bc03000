import { Box } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { AtIcon, BankIcon, ClockIcon, PlusIcon, TrashIcon } from '@/ui/icons'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { userTextLine } from '@/ui/UserText'
import { formatDateTime, payoutMethodTypes } from '../model'
import {
  isMethodOnHold,
  payoutMethodsQuery,
  useRemovePayoutMethod,
  useSetDefaultPayoutMethod,
} from '../payouts-api'
import { EarningsSection } from './EarningsSection'
import { PayoutMethodDialog } from './PayoutMethodDialog'

/** The method stays set while the dialog closes. In the edit dialog, null means a new method. */
type MethodDialogState = { open: boolean; method: PayoutMethod | null }
const closedDialog: MethodDialogState = { open: false, method: null }

/** Shows the creator's payout methods, with buttons that add, edit and remove them and change the default. */
export function PayoutMethods() {
  const methods = useQuery(payoutMethodsQuery)
  const [editDialog, setEditDialog] = useState(closedDialog)
  const [removeDialog, setRemoveDialog] = useState(closedDialog)
  const addButton = useRef<HTMLButtonElement>(null)
  const isListed = (method: PayoutMethod | null) => methods.data?.some(({ id }) => id === method?.id)
  const isFull = (methods.data?.length ?? 0) >= limits.maxPayoutMethods
  return (
    <EarningsSection
      title="Payout methods"
      text="Where your money is sent. Details are encrypted and never shown in full."
      flush
    >
      {methods.isPending && <MethodSkeleton />}
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
            onEdit={() => setEditDialog({ open: true, method })}
            onRemove={() => setRemoveDialog({ open: true, method })}
          />
        ))}
      </Box>
      <Box padding={{ base: '4', md: '5' }} borderTopWidth="1px">
        <Button
          ref={addButton}
          variant="outline"
          disabled={methods.isPending || isFull}
          onClick={() => setEditDialog({ open: true, method: null })}
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
      <PayoutMethodDialog {...editDialog} onClose={() => setEditDialog({ ...editDialog, open: false })} />
      <RemoveMethodDialog
        {...removeDialog}
        onClose={() => setRemoveDialog({ ...removeDialog, open: false })}
        finalFocus={() => (isListed(removeDialog.method) ? null : addButton.current)}
      />
    </EarningsSection>
  )
}

/** Shows a method with its masked details and, while it is on hold, the time from which it can be used. */
function PayoutMethodRow({
  method,
  onEdit,
  onRemove,
}: {
  method: PayoutMethod
  onEdit: () => void
  onRemove: () => void
}) {
  const setDefault = useSetDefaultPayoutMethod()
  const isOnHold = isMethodOnHold(method, useNow())
  return (
    <Box
      as="li"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="4"
      rowGap="2"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      <Box display="flex" alignItems="center" gap="4" flex="1" minWidth="14rem">
        <Box
          aria-hidden
          display="grid"
          placeItems="center"
          flexShrink={0}
          width="10"
          height="10"
          borderRadius="full"
          bg="sunken"
          color="muted"
          fontSize="xl"
        >
          {method.type === 'bank' ? <BankIcon /> : <AtIcon />}
        </Box>
        <Box minWidth="0">
          <Box display="flex" alignItems="center" gap="2">
            <Box as="span" textStyle="label" truncate {...userTextLine}>
              {method.name}
            </Box>
            {method.isDefault && <Badge tone="success">Default</Badge>}
          </Box>
          <Box textStyle="small" color="muted" overflowWrap="anywhere">
            {payoutMethodTypes[method.type]} · {method.details}
          </Box>
          {isOnHold && (
            <Box
              display="flex"
              alignItems="center"
              gap="1.5"
              textStyle="small"
              color="gold.text"
              marginTop="0.5"
            >
              <ClockIcon />
              Can be used from {formatDateTime(method.usableFrom)}
            </Box>
          )}
        </Box>
      </Box>
      <Box display="flex" alignItems="center" gap="1" marginStart="auto" marginEnd="-2">
        {!method.isDefault && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Make ${method.name} the default`}
            pending={setDefault.isPending}
            onClick={() => setDefault.mutate(method)}
          >
            Make default
          </Button>
        )}
        <Button variant="outline" size="sm" aria-label={`Edit ${method.name}`} onClick={onEdit}>
          Edit
        </Button>
        <IconButton label={`Remove ${method.name}`} onClick={onRemove}>
          <TrashIcon />
        </IconButton>
      </Box>
    </Box>
  )
}

/** Asks for confirmation before a method is removed. Payouts that were already requested still go to it. */
function RemoveMethodDialog({
  open,
  method,
  onClose,
  finalFocus,
}: {
  open: boolean
  method: PayoutMethod | null
  onClose: () => void
  /** Returns what gets the focus if the method's row is gone, or null if the row still exists. */
  finalFocus: () => HTMLElement | null
}) {
  const remove = useRemovePayoutMethod()
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => method && remove.mutate(method, { onSettled: onClose })}
      pending={remove.isPending}
      finalFocus={finalFocus}
      title="Remove this payout method?"
      text={
        <>
          <bdi>{method?.name}</bdi> · {method?.details}. Payouts that you have requested already still go
          there.
          {method?.isDefault && ' Another method becomes the default, if there is one.'}
        </>
      }
      confirmLabel="Remove"
    />
  )
}

function MethodSkeleton() {
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
