import { type AdminPayout, SettlePayoutRequest } from '@contract/earnings.ts'
import { useState } from 'react'
import { TextareaField } from '@/ui/Field'
import { useSettlePayout } from '../api'
import { SettleDialog } from './SettleDialog'

/** The money did not arrive: it goes back to its person's balance, and they are told why. */
export function MarkFailedDialog({
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
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<string>()
  const { settle, isPending } = useSettlePayout(onClose)
  const send = () => {
    const form = SettlePayoutRequest.safeParse({ outcome: 'failed', reason })
    setWrong(form.error?.issues[0]?.message)
    if (form.success) settle({ id: payout.id, ...form.data })
  }
  return (
    <SettleDialog
      payout={payout}
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      onSend={send}
      pending={isPending}
      typed={reason.trim() !== ''}
      title="Mark as failed"
      effect={
        payout.person
          ? 'The money goes back to their balance.'
          : 'The account is gone: the money stays with the platform.'
      }
      danger
    >
      <TextareaField
        label="Reason"
        hint="The creator reads it."
        maxLength={400}
        value={reason}
        error={wrong}
        onChange={({ target }) => {
          setReason(target.value)
          setWrong(undefined)
        }}
      />
    </SettleDialog>
  )
}
