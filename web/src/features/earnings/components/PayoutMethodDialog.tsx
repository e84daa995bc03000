import { Box, chakra } from '@chakra-ui/react'
import { AddPayoutMethodRequest, EditPayoutMethodRequest, type PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError, translateServerText } from '@/lib/api'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { SelectField, TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { payoutMethodTypes } from '../model'
import { useSavePayoutMethod } from '../payouts-api'
import { FormError } from './EarningsSection'

/** Shows the form for a new payout method, or for editing `method`. */
export function PayoutMethodDialog({
  open,
  method,
  onClose,
}: {
  open: boolean
  /** Null for a new method. */
  method: PayoutMethod | null
  onClose: () => void
}) {
  const formId = useId()
  const holdDays = limits.payoutMethodHoldDays
  const { save, isPending, error, reset } = useSavePayoutMethod(onClose)
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={method ? t`Edit payout method` : t`Add New Payout Method`}
      description={
        <Trans>
          For your security, new details can't be used for {holdDays} days. That gives you time to spot a
          change you didn't make.
        </Trans>
      }
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {t`Cancel`}
          </Button>
          <Button variant="ember" type="submit" form={formId} pending={isPending} pendingLabel={t`Saving…`}>
            {method ? t`Save` : t`Add`}
          </Button>
        </>
      }
    >
      <PayoutMethodForm id={formId} method={method} serverError={error} onSave={save} />
      <FormError error={error} />
    </Dialog>
  )
}

const emptyValues = { name: '', holder: '', account: '', routing: '', email: '' }
type FieldName = keyof typeof emptyValues
type FieldErrors = Partial<Record<string, string>>

/** Shows the fields of a payout method. Existing details are masked and can only be replaced. */
function PayoutMethodForm({
  id,
  method,
  serverError,
  onSave,
}: {
  id: string
  method: PayoutMethod | null
  serverError: unknown
  onSave: (request: Parameters<ReturnType<typeof useSavePayoutMethod>['save']>[0]) => void
}) {
  const [values, setValues] = useState({ ...emptyValues, name: method?.name ?? '' })
  const [type, setType] = useState(method?.type ?? 'bank')
  const [isDefault, setIsDefault] = useState(false)
  const [isEnteringDetails, setIsEnteringDetails] = useState(method === null)
  const [validationErrors, setValidationErrors] = useState<FieldErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const errors = { ...serverFieldErrors(serverError), ...validationErrors }

  useEffect(() => {
    if (Object.keys(validationErrors).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [validationErrors])

  const fieldProps = (name: FieldName) => ({
    value: values[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => {
      setValues((current) => ({ ...current, [name]: target.value }))
      setValidationErrors(({ [name]: _removed, ...rest }) => rest)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const { name, holder, account, routing, email } = values
    const details = type === 'bank' ? { type, holder, account, routing } : { type, email }
    if (method) {
      const request = EditPayoutMethodRequest.safeParse({ name, ...(isEnteringDetails && { details }) })
      setValidationErrors(request.success ? {} : zodFieldErrors(request.error))
      if (request.success) onSave({ id: method.id, form: request.data })
      return
    }
    const request = AddPayoutMethodRequest.safeParse({ name, details, isDefault })
    setValidationErrors(request.success ? {} : zodFieldErrors(request.error))
    if (request.success) onSave({ form: request.data })
  }

  return (
    <chakra.form ref={form} id={id} noValidate display="grid" gap="4" onSubmit={submit}>
      <TextField label={t`Name`} placeholder={t`My main account`} {...fieldProps('name')} />
      {isEnteringDetails ? (
        <>
          <SelectField
            label={t`Type`}
            value={type}
            onChange={({ target }) => setType(target.value === 'paypal' ? 'paypal' : 'bank')}
          >
            <option value="bank">{t(payoutMethodTypes.bank)}</option>
            <option value="paypal">{t(payoutMethodTypes.paypal)}</option>
          </SelectField>
          {type === 'bank' ? (
            <>
              <TextField label={t`Account holder`} {...fieldProps('holder')} />
              <TextField label={t`IBAN or account number`} spellCheck={false} {...fieldProps('account')} />
              <TextField
                label={t`Routing number or BIC`}
                hint={t`Not needed with an IBAN`}
                spellCheck={false}
                {...fieldProps('routing')}
              />
            </>
          ) : (
            <TextField label={t`PayPal email`} type="email" inputMode="email" {...fieldProps('email')} />
          )}
        </>
      ) : (
        <Box display="flex" alignItems="center" justifyContent="space-between" gap="4">
          <div>
            <Box textStyle="label">{method && t(payoutMethodTypes[method.type])}</Box>
            <Box textStyle="small" color="muted">
              {method?.details}
            </Box>
          </div>
          <Button variant="outline" size="sm" onClick={() => setIsEnteringDetails(true)}>
            {t`Enter new details`}
          </Button>
        </Box>
      )}
      {!method && (
        <Switch
          label={t`Make this the default`}
          hint={t`Weekly payouts will use this method once it's active.`}
          checked={isDefault}
          onChange={setIsDefault}
        />
      )}
    </chakra.form>
  )
}

/** Returns each field's first error, translated. Nested fields have the name of their last path segment. */
function zodFieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {}
  for (const { path, message } of error.issues) errors[String(path.at(-1))] ??= translateServerText(message)
  return errors
}

/** Returns the server's first error of each field, translated and named like those of `zodFieldErrors`. */
function serverFieldErrors(error: unknown): FieldErrors {
  const entries = error instanceof ApiError ? Object.entries(error.errors) : []
  return Object.fromEntries(
    entries.map(([path, [message]]) => [
      path.split('.').at(-1) ?? path,
      message && translateServerText(message),
    ]),
  )
}
