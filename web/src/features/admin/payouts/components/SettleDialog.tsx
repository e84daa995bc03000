import { chakra } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import { type ReactNode, useId } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { usePaymentsConfig } from '@/lib/config'
import { dollars } from '@/lib/format'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog } from '@/ui/DiscardDialog'
import { useDiscardConfirmation } from '@/ui/useDiscardConfirmation'
import { payeeName } from '../model'

/** Asks what an admin says of a payout. Its field is `children`, new each time it opens. */
export function SettleDialog({
  payout,
  open,
  onClose,
  finalFocus,
  onSend,
  pending,
  title,
  effect,
  danger = false,
  typed,
  children,
}: {
  payout: AdminPayout
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  onSend: () => void
  pending: boolean
  title: string
  /** What it does, behind the sum and the name. */
  effect: string | undefined
  danger?: boolean
  /** Something was typed that would be lost. */
  typed: boolean
  children: ReactNode
}) {
  const form = useId()
  const { payments } = usePaymentsConfig(open)
  const guard = useLeaveGuard(open && typed)
  const { close, question } = useDiscardConfirmation({
    open,
    typed,
    busy: pending,
    onClose,
    finalFocus,
    guard,
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        title={title}
        description={
          <>
            {dollars(payout.amount)} for <bdi>{payeeName(payout)}</bdi> to <bdi>{payout.methodName}</bdi> ·{' '}
            {payout.methodDetails}. {effect} This cannot be undone.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={pending}>
              Cancel
            </Button>
            <Button type="submit" form={form} variant={danger ? 'danger' : 'ember'} pending={pending}>
              {title}
            </Button>
          </>
        }
      >
        <chakra.form
          id={form}
          noValidate
          paddingBlock="2"
          onSubmit={(event) => {
            event.preventDefault()
            onSend()
          }}
        >
          {children}
        </chakra.form>
        {payments && <PaymentNotice payments={payments} beside="earnings" />}
      </Dialog>
      <DiscardDialog question={question} text="The payout stays as it is, and what you wrote is not kept." />
    </>
  )
}
