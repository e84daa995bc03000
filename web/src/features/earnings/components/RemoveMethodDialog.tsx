import type { PayoutMethod } from '@contract/earnings.ts'
import { ConfirmDialog } from '@/ui/Dialog'
import { useRemovePayoutMethod } from '../payout-methods-api'

/** Asks before a method is removed. Payouts that were requested go where they were to go. */
export function RemoveMethodDialog({
  open,
  method,
  onClose,
  finalFocus,
}: {
  open: boolean
  method: PayoutMethod | null
  onClose: () => void
  /** Where the focus goes where the row that it came from is gone; null where it is still there. */
  finalFocus: () => HTMLElement | null
}) {
  const remove = useRemovePayoutMethod()
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => method && remove.mutate(method, { onSettled: onClose })}
      pending={remove.isPending}
      finalFocus={finalFocus}
      title="Remove this payout method?"
      text={
        <>
          <bdi>{method?.name}</bdi> · {method?.details}. Payouts that you have requested already still go
          there.
          {method?.isDefault && ' Another method becomes the default, if there is one.'}
        </>
      }
      confirmLabel="Remove"
    />
  )
}
