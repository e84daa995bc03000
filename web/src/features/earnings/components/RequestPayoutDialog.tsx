import { Box, chakra } from '@chakra-ui/react'
import { type PayoutMethod, PayoutRequest } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useController, useForm } from 'react-hook-form'
import { z } from 'zod'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { fieldErrorText } from '@/lib/errors'
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
      title={t`Request Instant Payout`}
      description={t`We'll deduct this from your balance now and send it once it's been reviewed.`}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {canRequest ? t`Cancel` : t`Close`}
          </Button>
          {canRequest && (
            <Button
              variant="ember"
              type="submit"
              form={formId}
              pending={isPending}
              pendingLabel={t`Requesting…`}
            >
              {t`Request payout`}
            </Button>
          )}
          {isLoaded && isAboveMinimum && methods.data.length === 0 && (
            <ButtonLink variant="ember" to={paths.earnings.getHref('payouts')} onClick={close}>
              {t`Add a payout method`}
            </ButtonLink>
          )}
        </>
      }
    >
      {!isLoaded && (overview.isError || methods.isError) && (
        <InlineError
          text={t`Couldn't load your balance. Try again.`}
          onRetry={() => void Promise.all([overview.refetch(), methods.refetch()])}
        />
      )}
      {!isLoaded && !overview.isError && !methods.isError && (
        <Loading label={t`Loading your balance`}>
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
  const { control, formState, register, clearErrors, handleSubmit } = useForm({
    resolver: zodResolver(payoutForm(available)),
    // An amount that the user has not edited follows the balance.
    values: { amount: available.toFixed(2), methodId: '' },
    resetOptions: { keepDirtyValues: true, keepErrors: true },
    reValidateMode: 'onSubmit',
  })
  const { field: methodField } = useController({ control, name: 'methodId' })
  const usableMethods = methods.filter((method) => !isMethodOnHold(method, now))
  const selectedMethod =
    usableMethods.find((method) => method.id === methodField.value) ??
    usableMethods.find((method) => method.isDefault) ??
    usableMethods.at(0)
  const availableText = dollars(available)
  const minimum = dollars(limits.minimumPayout)

  const submit = handleSubmit(({ amount }) => {
    if (selectedMethod) onRequest({ amount, methodId: selectedMethod.id })
  })

  return (
    <chakra.form id={id} noValidate display="grid" gap="4" paddingBottom="3" onSubmit={submit}>
      <TextField
        label={t`Amount in US dollars`}
        inputMode="decimal"
        autoComplete="off"
        error={fieldErrorText(formState.errors.amount)}
        hint={t`${availableText} available. ${minimum} minimum.`}
        {...register('amount', { onChange: () => clearErrors('amount') })}
      />
      <SelectField
        label={t({ message: 'To', context: 'recipient' })}
        value={selectedMethod?.id ?? ''}
        onChange={methodField.onChange}
      >
        {methods.map((method) => (
          <option key={method.id} value={method.id} disabled={isMethodOnHold(method, now)}>
            {methodOptionText(method, now)}
          </option>
        ))}
      </SelectField>
    </chakra.form>
  )
}

/** Returns a method's name and details and, while it is on hold, the time from which it can be used. */
function methodOptionText(method: PayoutMethod, now: number): string {
  const name = `${method.name} · ${method.details}`
  if (!isMethodOnHold(method, now)) return name
  const usableFrom = formatDateTime(method.usableFrom)
  return t`${name} (from ${usableFrom})`
}

/** Returns the schema of the form. The amount is entered as a string and is at most `available` US dollars. */
function payoutForm(available: number) {
  const minimum = dollars(limits.minimumPayout)
  const availableText = dollars(available)
  return z.object({
    amount: z
      .string()
      .transform(parseAmount)
      // NaN passes both checks and is then rejected by the contract.
      .refine((amount) => !(amount < limits.minimumPayout), t`The minimum payout is ${minimum}.`)
      .refine((amount) => !(amount > available), t`You have ${availableText} available.`)
      .pipe(PayoutRequest.shape.amount.unwrap()),
    /** Empty until the user selects a method. */
    methodId: z.string(),
  })
}

/** Shows why a payout is not possible now: the balance is below the minimum, or no payout method is usable yet. */
function PayoutUnavailable({ available, methods }: { available: number; methods: PayoutMethod[] }) {
  const { minimumPayout, payoutMethodHoldDays: holdDays } = limits
  if (available < minimumPayout) {
    const minimum = dollars(minimumPayout)
    const availableText = dollars(available)
    const remaining = dollars(minimumPayout - available)
    return (
      <Box paddingBlock="2">
        <Box textStyle="label">{t`The minimum payout is ${minimum}.`}</Box>
        <Box color="muted" marginTop="1" marginBottom="4" fontVariantNumeric="tabular-nums">
          {t`You have ${availableText} available. ${remaining} to go.`}
        </Box>
        <ProgressBar
          label={t`Progress toward the minimum payout`}
          fraction={available / minimumPayout}
          valueText={t`${availableText} of ${minimum}`}
        />
      </Box>
    )
  }
  const [firstUsable] = methods.toSorted((a, b) => Date.parse(a.usableFrom) - Date.parse(b.usableFrom))
  if (!firstUsable) {
    return (
      <Box paddingBlock="2">
        <Box textStyle="label">{t`No payout method yet`}</Box>
        <Box color="muted" marginTop="1">
          <Trans>
            Add one now. For your security, new methods can't be used for the first {holdDays} days.
          </Trans>
        </Box>
      </Box>
    )
  }
  const { name, details } = firstUsable
  const usableFrom = formatDateTime(firstUsable.usableFrom)
  return (
    <Box paddingBlock="2">
      <Box textStyle="label">{t`Your payout method can't be used yet.`}</Box>
      <Box color="muted" marginTop="1">
        <Trans>
          It was added or changed less than {holdDays} days ago. You can use <bdi>{name}</bdi> ({details})
          from {usableFrom}.
        </Trans>
      </Box>
    </Box>
  )
}
