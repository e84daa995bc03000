import type { PayoutMethod } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { useId } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { useSavePayoutMethod } from '../payout-methods-api'
import { FormError } from './FormError'
import { PayoutMethodForm } from './PayoutMethodForm'

/** A new payout method, or one that is edited. */
export function PayoutMethodDialog({
  open,
  method,
  onClose,
}: {
  open: boolean
  /** The one that is edited; null for a new one. */
  method: PayoutMethod | null
  onClose: () => void
}) {
  const form = useId()
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
      title={method ? 'Edit payout method' : 'Add New Payout Method'}
      description={`New details wait ${limits.payoutMethodHoldDays} days before money goes there, so that you can notice if it was not you.`}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            Cancel
          </Button>
          <Button variant="ember" type="submit" form={form} pending={isPending} pendingLabel="Saving…">
            {method ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <PayoutMethodForm id={form} method={method} refused={error} onSend={save} />
      <FormError error={error} />
    </Dialog>
  )
}
