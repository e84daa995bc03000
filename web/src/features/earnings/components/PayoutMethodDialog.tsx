import { Box, chakra } from '@chakra-ui/react'
import { AddPayoutMethodRequest, type PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrorText, showFieldErrors } from '@/lib/errors'
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
      <PayoutMethodForm id={formId} method={method} onSave={save} />
      <FormError error={error} />
    </Dialog>
  )
}

const emptyDetails = { type: 'bank' as PayoutMethod['type'], holder: '', account: '', routing: '', email: '' }

/** `details` contains the fields of both method types. It is undefined while the existing details are kept. */
type MethodFormValues = { name: string; details: typeof emptyDetails | undefined; isDefault: boolean }

/** The contract drops the fields of the type that is not selected. */
const MethodForm = z.preprocess(
  (values: MethodFormValues) => values,
  AddPayoutMethodRequest.partial({ details: true }),
)

const textFields = ['name', 'details.holder', 'details.account', 'details.routing', 'details.email'] as const

/** Shows the fields of a payout method. Existing details are masked and can only be replaced. */
function PayoutMethodForm({
  id,
  method,
  onSave,
}: {
  id: string
  method: PayoutMethod | null
  onSave: ReturnType<typeof useSavePayoutMethod>['save']
}) {
  const { control, formState, register, getFieldState, setValue, setError, clearErrors, handleSubmit } =
    useForm({
      resolver: zodResolver(MethodForm),
      defaultValues: {
        name: method?.name ?? '',
        details: method ? undefined : emptyDetails,
        isDefault: false,
      },
      reValidateMode: 'onSubmit',
    })
  /** Undefined while the existing details are kept. */
  const type = useWatch({ control, name: 'details.type' })

  const fieldProps = (name: (typeof textFields)[number]) => ({
    ...register(name, { onChange: () => clearErrors(name) }),
    error: fieldErrorText(getFieldState(name, formState).error),
    autoComplete: 'off',
  })

  const submit = handleSubmit(({ name, details, isDefault }) => {
    const options = { onError: (error: Error) => showFieldErrors(error, textFields, setError) }
    if (method) onSave({ id: method.id, form: { name, details } }, options)
    else if (details) onSave({ form: { name, details, isDefault } }, options)
  })

  return (
    <chakra.form id={id} noValidate display="grid" gap="4" onSubmit={submit}>
      <TextField label={t`Name`} placeholder={t`My main account`} {...fieldProps('name')} />
      {type ? (
        <>
          <SelectField label={t`Type`} {...register('details.type')}>
            <option value="bank">{t(payoutMethodTypes.bank)}</option>
            <option value="paypal">{t(payoutMethodTypes.paypal)}</option>
          </SelectField>
          {type === 'bank' ? (
            <>
              <TextField label={t`Account holder`} {...fieldProps('details.holder')} />
              <TextField
                label={t`IBAN or account number`}
                spellCheck={false}
                {...fieldProps('details.account')}
              />
              <TextField
                label={t`Routing number or BIC`}
                hint={t`Not needed with an IBAN`}
                spellCheck={false}
                {...fieldProps('details.routing')}
              />
            </>
          ) : (
            <TextField
              label={t`PayPal email`}
              type="email"
              inputMode="email"
              {...fieldProps('details.email')}
            />
          )}
        </>
      ) : (
        method && (
          <Box display="flex" alignItems="center" justifyContent="space-between" gap="4">
            <div>
              <Box textStyle="label">{t(payoutMethodTypes[method.type])}</Box>
              <Box textStyle="small" color="muted">
                {method.details}
              </Box>
            </div>
            <Button
              variant="outline"
              size="sm"
              onClick={() => setValue('details', { ...emptyDetails, type: method.type })}
            >
              {t`Enter new details`}
            </Button>
          </Box>
        )
      )}
      {!method && (
        <Controller
          control={control}
          name="isDefault"
          render={({ field }) => (
            <Switch
              label={t`Make this the default`}
              hint={t`Weekly payouts will use this method once it's active.`}
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
    </chakra.form>
  )
}
