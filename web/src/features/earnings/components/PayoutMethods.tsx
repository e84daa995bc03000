import { Box } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  const { maxPayoutMethods, payoutMethodHoldDays: holdDays } = limits
  const isFull = (methods.data?.length ?? 0) >= maxPayoutMethods
  return (
    <EarningsSection
      title={t`Payout methods`}
      text={t`Where we send your money. Details are encrypted and never shown in full.`}
      flush
    >
      {methods.isPending && <MethodSkeleton />}
      {methods.isError && !methods.data && (
        <ErrorState
          message={t`Couldn't load your payout methods. Try again.`}
          onRetry={() => void methods.refetch()}
        />
      )}
      {methods.data?.length === 0 && (
        <EmptyState
          as="h3"
          title={t`No payout method yet`}
          text={
            <Trans>
              Add one now. For your security, new methods can't be used for the first {holdDays} days.
            </Trans>
          }
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
          {t`Add New Payout Method`}
        </Button>
        {isFull && (
          <Box textStyle="small" color="muted" marginTop="2">
            {t`You can have up to ${maxPayoutMethods} payout methods.`}
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
  const { name } = method
  const usableFrom = formatDateTime(method.usableFrom)
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
          <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
            <Box as="span" textStyle="label" maxWidth="100%" truncate {...userTextLine}>
              {name}
            </Box>
            {method.isDefault && <Badge tone="success">{t`Default`}</Badge>}
          </Box>
          <Box textStyle="small" color="muted" overflowWrap="anywhere">
            {t(payoutMethodTypes[method.type])} · {method.details}
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
              {t`Can be used from ${usableFrom}`}
            </Box>
          )}
        </Box>
      </Box>
      <Box display="flex" alignItems="center" gap="1" marginStart="auto" marginEnd="-2">
        {!method.isDefault && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={t`Make ${name} the default`}
            pending={setDefault.isPending}
            onClick={() => setDefault.mutate(method)}
          >
            {t`Make default`}
          </Button>
        )}
        <Button variant="outline" size="sm" aria-label={t`Edit ${name}`} onClick={onEdit}>
          {t`Edit`}
        </Button>
        <IconButton label={t`Remove ${name}`} onClick={onRemove}>
          <TrashIcon />
        </IconButton>
      </Box>
    </Box>
  )
}

/**
 * Asks for confirmation before a method is removed. Payouts that were already requested still go to the removed method.
 */
function RemoveMethodDialog({
  open,
  method,
  onClose,
  finalFocus,
}: {
  open: boolean
  method: PayoutMethod | null
  onClose: () => void
  /** Returns the element that receives focus if the method's row is gone, or null if the row still exists. */
  finalFocus: () => HTMLElement | null
}) {
  const remove = useRemovePayoutMethod()
  const { name, details } = method ?? { name: '', details: '' }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => method && remove.mutate(method, { onSettled: onClose })}
      pending={remove.isPending}
      finalFocus={finalFocus}
      title={t`Remove this payout method?`}
      text={
        <>
          <Trans>
            This removes <bdi>{name}</bdi> ({details}). Payouts you've already requested will still go there.
          </Trans>{' '}
          {method?.isDefault && t`If you have another method, it becomes the default.`}
        </>
      }
      confirmLabel={t`Remove`}
    />
  )
}

function MethodSkeleton() {
  return (
    <Loading
      label={t`Loading your payout methods`}
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
