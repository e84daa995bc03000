import { Box, chakra } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { dollars, parseAmount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useNow } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { SelectField, TextField } from '@/ui/Field'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { overviewQuery } from '../api'
import { formatDateTime } from '../model'
import { isMethodOnHold, payoutMethodsQuery, useRequestPayout } from '../payouts-api'
import { FormError, ProgressBar } from './EarningsSection'

/** Shows the form that requests a payout, or why a payout is not possible now. */
export function RequestPayoutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
  const { user } = useCurrentUser()
  const now = useNow()
  const overview = useQuery({ ...overviewQuery, enabled: open })
  const methods = useQuery({ ...payoutMethodsQuery, enabled: open })
  const { data: config } = useQuery({ ...configQuery, enabled: open })
  const { request, isPending, error, reset } = useRequestPayout(user?.id ?? '', onClose)
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  const usableMethods = methods.data?.filter((method) => !isMethodOnHold(method, now)) ?? []
  const available = overview.data?.available ?? 0
  const isAboveMinimum = available >= limits.minimumPayout
  const isLoaded = overview.data !== undefined && methods.data !== undefined
  const canRequest = isLoaded && isAboveMinimum && usableMethods.length > 0
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Request Instant Payout"
      description="It is taken from your balance at once, and paid out as soon as it has been looked at."
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {canRequest ? 'Cancel' : 'Close'}
          </Button>
          {canRequest && (
            <Button
              variant="ember"
              type="submit"
              form={formId}
              pending={isPending}
              pendingLabel="Requesting…"
            >
              Request payout
            </Button>
          )}
          {isLoaded && isAboveMinimum && methods.data.length === 0 && (
            <ButtonLink variant="ember" to={paths.earnings.getHref('payouts')} onClick={close}>
              Add a payout method
            </ButtonLink>
          )}
        </>
      }
    >
      {!isLoaded && (overview.isError || methods.isError) && (
        <InlineError
          text="Your balance did not load."
          onRetry={() => void Promise.all([overview.refetch(), methods.refetch()])}
        />
      )}
      {!isLoaded && !overview.isError && !methods.isError && (
        <Loading label="Loading your balance">
          <Skeleton height="12" borderRadius="md" />
          <Skeleton height="12" borderRadius="md" marginTop="4" />
        </Loading>
      )}
      {canRequest && (
        <PayoutForm id={formId} available={available} methods={methods.data} onRequest={request} />
      )}
      {isLoaded && !canRequest && <PayoutUnavailable available={available} methods={methods.data} />}
      <FormError error={error} />
      {config && <PaymentNotice payments={config.payments} context="earnings" />}
    </Dialog>
  )
}

/** Shows the fields for the amount and the payout method. The default amount is the whole available balance. */
function PayoutForm({
  id,
  available,
  methods,
  onRequest,
}: {
  id: string
  available: number
  methods: PayoutMethod[]
  onRequest: (payout: { amount: number; methodId: string }) => void
}) {
  const now = useNow()
  const [editedAmount, setEditedAmount] = useState<string | null>(null)
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const usableMethods = methods.filter((method) => !isMethodOnHold(method, now))
  const selectedMethod =
    usableMethods.find((method) => method.id === selectedId) ??
    usableMethods.find((method) => method.isDefault) ??
    usableMethods.at(0)
  const amountText = editedAmount ?? available.toFixed(2)

  function submit(event: FormEvent) {
    event.preventDefault()
    const amount = parseAmount(amountText)
    const amountError = validateAmount(amount, available)
    setError(amountError)
    if (!amountError && selectedMethod) onRequest({ amount, methodId: selectedMethod.id })
  }

  return (
    <chakra.form id={id} noValidate display="grid" gap="4" paddingBottom="3" onSubmit={submit}>
      <TextField
        label="Amount in US dollars"
        inputMode="decimal"
        autoComplete="off"
        value={amountText}
        error={error}
        hint={`${dollars(available)} available, at least ${dollars(limits.minimumPayout)}.`}
        onChange={({ target }) => {
          setEditedAmount(target.value)
          setError(undefined)
        }}
      />
      <SelectField
        label="To"
        value={selectedMethod?.id ?? ''}
        onChange={({ target }) => setSelectedId(target.value)}
      >
        {methods.map((method) => (
          <option key={method.id} value={method.id} disabled={isMethodOnHold(method, now)}>
            {method.name} · {method.details}
            {isMethodOnHold(method, now) && ` (from ${formatDateTime(method.usableFrom)})`}
          </option>
        ))}
      </SelectField>
    </chakra.form>
  )
}

/** Returns why an amount in US dollars cannot be paid out, or undefined if it can. */
function validateAmount(amount: number, available: number): string | undefined {
  if (Number.isNaN(amount)) return 'Please enter an amount.'
  if (amount < limits.minimumPayout) return `The minimum payout is ${dollars(limits.minimumPayout)}.`
  if (amount > available) return `You have ${dollars(available)} available.`
  return undefined
}

/** Shows why a payout is not possible now: the balance is below the minimum, or no payout method is usable yet. */
function PayoutUnavailable({ available, methods }: { available: number; methods: PayoutMethod[] }) {
  if (available < limits.minimumPayout) {
    return (
      <Box paddingBlock="2">
        <Box textStyle="label">The minimum payout is {dollars(limits.minimumPayout)}.</Box>
        <Box color="muted" marginTop="1" marginBottom="4" fontVariantNumeric="tabular-nums">
          You have {dollars(available)} available: {dollars(limits.minimumPayout - available)} to go.
        </Box>
        <ProgressBar
          label="Available of the minimum payout"
          fraction={available / limits.minimumPayout}
          valueText={`${dollars(available)} of ${dollars(limits.minimumPayout)}`}
        />
      </Box>
    )
  }
  const [firstUsable] = methods.toSorted((a, b) => Date.parse(a.usableFrom) - Date.parse(b.usableFrom))
  return (
    <Box paddingBlock="2">
      <Box textStyle="label">
        {firstUsable ? 'Your payout method cannot be used yet.' : 'You have no payout method yet.'}
      </Box>
      <Box color="muted" marginTop="1">
        {firstUsable ? (
          <>
            It was added or changed less than {limits.payoutMethodHoldDays} days ago.{' '}
            <bdi>{firstUsable.name}</bdi> · {firstUsable.details} can be used from{' '}
            {formatDateTime(firstUsable.usableFrom)}.
          </>
        ) : (
          `Add one: it waits ${limits.payoutMethodHoldDays} days before money can go there.`
        )}
      </Box>
    </Box>
  )
}
