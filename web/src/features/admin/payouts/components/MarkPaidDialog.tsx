import type { AdminPayout } from '@contract/earnings.ts'
import { useState } from 'react'
import { usePaymentsConfig } from '@/lib/config'
import { TextField } from '@/ui/Field'
import { useSettlePayout } from '../api'
import { SettleDialog } from './SettleDialog'

/** The money has left: what the bank calls it may be said, and is shown to its person. */
export function MarkPaidDialog({
  payout,
  open,
  onClose,
  finalFocus,
}: {
  payout: AdminPayout
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const [reference, setReference] = useState('')
  const { settle, isPending } = useSettlePayout(onClose)
  const { payments } = usePaymentsConfig(open)
  return (
    <SettleDialog
      payout={payout}
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      onSend={() => settle({ id: payout.id, outcome: 'paid', reference: reference.trim() || null })}
      pending={isPending}
      typed={reference.trim() !== ''}
      title="Mark as paid"
      effect={payments && payments !== 'test' ? 'Say so once the money has left.' : undefined}
    >
      <TextField
        label="Reference (optional)"
        hint="What your bank calls the transfer. The creator sees it."
        autoComplete="off"
        maxLength={200}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
    </SettleDialog>
  )
}
