import { chakra } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { type FormEvent, useState } from 'react'
import { dollars } from '@/lib/format'
import { parseAmount } from '@/lib/parse-amount'
import { useNow } from '@/lib/time'
import { SelectField, TextField } from '@/ui/Field'
import { formatDateTime } from '../model'
import { isMethodOnHold } from '../payout-methods-api'

/** What is wrong with an amount, in US dollars; undefined for one that can be paid out. */
function wrong(amount: number, available: number): string | undefined {
  if (Number.isNaN(amount)) return 'Please enter an amount.'
  if (amount < limits.minimumPayout) return `The minimum payout is ${dollars(limits.minimumPayout)}.`
  if (amount > available) return `You have ${dollars(available)} available.`
  return undefined
}

/** How much and where to. All that is available stands there until somebody writes another amount. */
export function PayoutForm({
  id,
  available,
  methods,
  onSend,
}: {
  id: string
  available: number
  methods: PayoutMethod[]
  onSend: (payout: { amount: number; methodId: string }) => void
}) {
  const now = useNow()
  const [typed, setTyped] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const usable = methods.filter((method) => !isMethodOnHold(method, now))
  const method =
    usable.find((one) => one.id === chosen) ?? usable.find((one) => one.isDefault) ?? usable.at(0)
  const text = typed ?? available.toFixed(2)

  function send(event: FormEvent) {
    event.preventDefault()
    const amount = parseAmount(text)
    const problem = wrong(amount, available)
    setError(problem)
    if (!problem && method) onSend({ amount, methodId: method.id })
  }

  return (
    <chakra.form id={id} noValidate display="grid" gap="4" paddingBottom="3" onSubmit={send}>
      <TextField
        label="Amount in US dollars"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={error}
        hint={`${dollars(available)} available, at least ${dollars(limits.minimumPayout)}.`}
        onChange={({ target }) => {
          setTyped(target.value)
          setError(undefined)
        }}
      />
      <SelectField label="To" value={method?.id ?? ''} onChange={({ target }) => setChosen(target.value)}>
        {methods.map((one) => (
          <option key={one.id} value={one.id} disabled={isMethodOnHold(one, now)}>
            {one.name} · {one.details}
            {isMethodOnHold(one, now) && ` (from ${formatDateTime(one.usableFrom)})`}
          </option>
        ))}
      </SelectField>
    </chakra.form>
  )
}
