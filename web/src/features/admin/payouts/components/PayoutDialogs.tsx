import { type AdminPayout, SettlePayoutRequest } from '@contract/earnings.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { usePaymentsConfig } from '@/billing/payments'
import { fieldErrorText } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { useLeaveGuard } from '@/lib/leave-guard'
import { TextareaField, TextField } from '@/ui/Field'
import { FormDialog } from '../../components/FormDialog'
import { useSettlePayout } from '../api'
import { payeeName } from '../model'
import { PayoutDetailsDialog } from './PayoutDetailsDialog'

const [PaidRequest, FailedRequest] = SettlePayoutRequest.options

export type PayoutDialogKind = 'details' | 'paid' | 'failed'

/**
 * The dialog to show and its payout. `payout` is a copy made when the dialog opened, so the dialog keeps its input when
 * a refetch shows the payout as settled.
 */
export type PayoutDialogState = {
  open: boolean
  /** Incremented each time a dialog opens, so that its fields start empty. */
  openCount: number
  kind: PayoutDialogKind
  payout: AdminPayout
  /** The button that opened the dialog. */
  trigger: HTMLElement
  /** The row of the payout. */
  row: HTMLElement | null
}

/** Shows the dialog that `dialog` describes. Focus returns to the trigger or, if it is gone, the row or `heading`. */
export function PayoutDialogs({
  dialog: { open, openCount, kind, payout, trigger, row },
  onClose,
  heading,
}: {
  dialog: PayoutDialogState
  onClose: () => void
  heading: () => HTMLElement | null
}) {
  const dialogProps = {
    payout,
    open,
    onClose,
    finalFocus: () => [trigger, row].find((element) => element?.isConnected) ?? heading(),
  }
  switch (kind) {
    case 'details':
      return <PayoutDetailsDialog key={openCount} {...dialogProps} />
    case 'paid':
      return <MarkPaidDialog key={openCount} {...dialogProps} />
    case 'failed':
      return <MarkFailedDialog key={openCount} {...dialogProps} />
  }
}

/** Shows the dialog that settles a payout. Its field is `children`. */
function SettleDialog({
  payout,
  open,
  onClose,
  finalFocus,
  onSubmit,
  isPending,
  title,
  effect,
  danger = false,
  isDirty,
  children,
}: {
  payout: AdminPayout
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  onSubmit: () => Promise<void>
  isPending: boolean
  title: string
  /** The consequence, shown after the amount and the name. */
  effect: string | undefined
  danger?: boolean
  /** Whether closing the dialog would lose input. */
  isDirty: boolean
  children: ReactNode
}) {
  const amount = dollars(payout.amount)
  const payee = <bdi>{payeeName(payout)}</bdi>
  const method = <bdi>{payout.methodName}</bdi>
  const { methodDetails } = payout
  const { payments } = usePaymentsConfig(open)
  const guard = useLeaveGuard(open && isDirty)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={title}
      description={
        <>
          <Trans>
            {amount} for {payee}, to {method} · {methodDetails}.
          </Trans>{' '}
          {effect} {t`You can't undo this.`}
        </>
      }
      submitLabel={title}
      danger={danger}
      isDirty={isDirty}
      guard={guard}
      onSubmit={onSubmit}
      isPending={isPending}
      discardText={t`The payout hasn't been settled.`}
    >
      {children}
      {payments && <PaymentNotice payments={payments} context="earnings" />}
    </FormDialog>
  )
}

/** Marks a payout as paid, with an optional transfer reference, which the creator sees. */
function MarkPaidDialog({
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
  const { control, register, handleSubmit } = useForm({
    resolver: zodResolver(PaidRequest),
    defaultValues: { outcome: 'paid' as const, reference: '' },
  })
  const reference = useWatch({ control, name: 'reference' })
  const { settle, isPending } = useSettlePayout(onClose)
  return (
    <SettleDialog
      payout={payout}
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      onSubmit={handleSubmit((form) => settle({ id: payout.id, ...form, reference: form.reference || null }))}
      isPending={isPending}
      isDirty={!!reference?.trim()}
      title={t`Mark as paid`}
      effect={
        payout.isTest ? t`This is test money: don't send any.` : t`Make sure that you've sent the money.`
      }
    >
      <TextField
        label={t`Reference (optional)`}
        hint={t`Your bank's reference for the transfer. The creator can see it.`}
        autoComplete="off"
        maxLength={200}
        {...register('reference')}
      />
    </SettleDialog>
  )
}

/** Marks a payout as failed. The money returns to the creator's balance, and they see the reason. */
function MarkFailedDialog({
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
  const {
    control,
    register,
    handleSubmit,
    clearErrors,
    formState: { errors },
  } = useForm({
    resolver: zodResolver(FailedRequest),
    defaultValues: { outcome: 'failed' as const, reason: '' },
    reValidateMode: 'onSubmit',
  })
  const reason = useWatch({ control, name: 'reason' })
  const { settle, isPending } = useSettlePayout(onClose)
  return (
    <SettleDialog
      payout={payout}
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      onSubmit={handleSubmit((form) => settle({ id: payout.id, ...form }))}
      isPending={isPending}
      isDirty={reason.trim() !== ''}
      title={t`Mark as failed`}
      effect={
        payout.person
          ? t`The money returns to their balance.`
          : t`Their account was deleted, so the money stays with the platform.`
      }
      danger
    >
      <TextareaField
        label={t`Reason`}
        hint={t`The creator can see it.`}
        maxLength={400}
        error={fieldErrorText(errors.reason)}
        {...register('reason', { onChange: () => clearErrors('reason') })}
      />
    </SettleDialog>
  )
}
