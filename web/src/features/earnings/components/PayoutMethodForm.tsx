import { Box, chakra } from '@chakra-ui/react'
import { AddPayoutMethodRequest, EditPayoutMethodRequest, type PayoutMethod } from '@contract/earnings.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '@/lib/api'
import { Button } from '@/ui/Button'
import { SelectField, TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { payoutMethodTypes } from '../model'
import type { useSavePayoutMethod } from '../payout-methods-api'

const empty = { name: '', holder: '', account: '', routing: '', email: '' }
type Name = keyof typeof empty
type Errors = Partial<Record<string, string>>

/** What is wrong with each field, by its own name: the first thing alone. */
function errorsOf(error: z.ZodError): Errors {
  const errors: Errors = {}
  for (const { path, message } of error.issues) errors[String(path.at(-1))] ??= message
  return errors
}

/** What the server said of single fields. */
function errorsFrom(refused: unknown): Errors {
  const named = refused instanceof ApiError ? Object.entries(refused.errors) : []
  return Object.fromEntries(named.map(([path, [message]]) => [path.split('.').at(-1) ?? path, message]))
}

/** The fields of a payout method. Of one that is edited the details are shown masked, and only ever entered anew. */
export function PayoutMethodForm({
  id,
  method,
  refused,
  onSend,
}: {
  id: string
  method: PayoutMethod | null
  /** Why the server did not take it. */
  refused: unknown
  onSend: (form: Parameters<ReturnType<typeof useSavePayoutMethod>['save']>[0]) => void
}) {
  const [values, setValues] = useState({ ...empty, name: method?.name ?? '' })
  const [type, setType] = useState(method?.type ?? 'bank')
  const [isDefault, setDefault] = useState(false)
  const [anew, setAnew] = useState(method === null)
  const [found, setFound] = useState<Errors>({})
  const form = useRef<HTMLFormElement>(null)
  const errors = { ...errorsFrom(refused), ...found }

  useEffect(() => {
    if (Object.keys(found).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [found])

  const field = (name: Name) => ({
    value: values[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => {
      setValues((before) => ({ ...before, [name]: target.value }))
      setFound(({ [name]: _gone, ...rest }) => rest)
    },
  })

  function send(event: FormEvent) {
    event.preventDefault()
    const { name, holder, account, routing, email } = values
    const details = type === 'bank' ? { type, holder, account, routing } : { type, email }
    if (method) {
      const edited = EditPayoutMethodRequest.safeParse({ name, ...(anew && { details }) })
      setFound(edited.success ? {} : errorsOf(edited.error))
      if (edited.success) onSend({ id: method.id, form: edited.data })
      return
    }
    const added = AddPayoutMethodRequest.safeParse({ name, details, isDefault })
    setFound(added.success ? {} : errorsOf(added.error))
    if (added.success) onSend({ form: added.data })
  }

  return (
    <chakra.form ref={form} id={id} noValidate display="grid" gap="4" onSubmit={send}>
      <TextField label="Name" placeholder="My main account" {...field('name')} />
      {anew ? (
        <>
          <SelectField
            label="Type"
            value={type}
            onChange={({ target }) => setType(target.value === 'paypal' ? 'paypal' : 'bank')}
          >
            <option value="bank">{payoutMethodTypes.bank}</option>
            <option value="paypal">{payoutMethodTypes.paypal}</option>
          </SelectField>
          {type === 'bank' ? (
            <>
              <TextField label="Account holder" {...field('holder')} />
              <TextField label="IBAN or account number" spellCheck={false} {...field('account')} />
              <TextField
                label="Routing number or BIC"
                hint="Not needed with an IBAN."
                spellCheck={false}
                {...field('routing')}
              />
            </>
          ) : (
            <TextField label="PayPal email" type="email" inputMode="email" {...field('email')} />
          )}
        </>
      ) : (
        <Box display="flex" alignItems="center" justifyContent="space-between" gap="4">
          <div>
            <Box textStyle="label">{method && payoutMethodTypes[method.type]}</Box>
            <Box textStyle="small" color="muted">
              {method?.details}
            </Box>
          </div>
          <Button variant="outline" size="sm" onClick={() => setAnew(true)}>
            Enter new details
          </Button>
        </Box>
      )}
      {!method && (
        <Switch
          label="Make it the default"
          hint="Weekly payouts go there once it can be used."
          checked={isDefault}
          onChange={setDefault}
        />
      )}
    </chakra.form>
  )
}
