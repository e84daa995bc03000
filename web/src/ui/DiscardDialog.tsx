import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { LeaveGuard } from '@/lib/leave-guard'
import { Button } from './Button'
import { ConfirmDialog, Dialog } from './Dialog'

/** Asks whether to discard what the user entered in a dialog. */
export function DiscardDialog({
  confirmation,
  title = t`Discard what you wrote?`,
  text,
}: {
  confirmation: ReturnType<typeof useDiscardConfirmation>['confirmation']
  title?: string
  /** What has not been done yet, e.g. 'Your report hasn’t been sent.' */
  text: string
}) {
  return <ConfirmDialog {...confirmation} title={title} text={text} confirmLabel={t`Discard`} />
}

/**
 * Asks for confirmation before a dialog closes and loses what the user entered.
 *
 * @param open whether the dialog is open
 * @param isDirty whether there is input to lose
 * @param busy whether the input is being sent; nothing closes the dialog then
 * @param onClose closes the dialog
 * @param finalFocus the dialog's `finalFocus`. If the input is discarded, the confirmation uses it too, because both
 *   dialogs close together.
 * @param guard the page's leave guard, if the user can leave the page while the dialog is open
 * @returns `close`, for every control that closes the dialog without submitting, and `confirmation`, for the
 *   `DiscardDialog` beside the dialog
 */
export function useDiscardConfirmation({
  open,
  isDirty,
  busy = false,
  onClose,
  finalFocus,
  guard,
}: {
  open: boolean
  isDirty: boolean
  busy?: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  guard?: LeaveGuard
}) {
  const [isConfirming, setConfirming] = useState(false)
  const discarded = useRef(false)
  return {
    close: () => {
      if (busy) return
      if (isDirty) setConfirming(true)
      else onClose()
    },
    confirmation: {
      // Input that is being sent, or has been sent in the meantime, can no longer be discarded.
      open: open && isDirty && !busy && (isConfirming || guard?.isBlocked === true),
      onClose: () => {
        setConfirming(false)
        guard?.stay()
      },
      onConfirm: () => {
        discarded.current = true
        guard?.leave()
        setConfirming(false)
        onClose()
      },
      finalFocus: () => (discarded.current ? finalFocus() : null),
    },
  }
}

/**
 * Asks what to do with unsaved changes when the user leaves a screen. The focus starts on the button that keeps the
 * user on the screen.
 */
export function LeaveDialog({
  open,
  title,
  text,
  saveLabel,
  stayLabel,
  pending,
  onStay,
  onDiscard,
  onSave,
  finalFocus,
}: {
  open: boolean
  title: string
  text: string
  saveLabel: string
  stayLabel: string
  /** Whether the changes are being saved. */
  pending: boolean
  onStay: () => void
  onDiscard: () => void
  onSave: () => void
  /** See `Dialog`. */
  finalFocus?: () => HTMLElement | null
}) {
  const stayButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title={title}
      description={text}
      role="alertdialog"
      initialFocus={() => stayButton.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button
            variant="ghost"
            marginInlineEnd="auto"
            paddingInline="3"
            disabled={pending}
            onClick={onDiscard}
          >
            {t`Discard`}
          </Button>
          <Button
            ref={stayButton}
            variant="outline"
            paddingInline={{ base: '3.5', sm: '5' }}
            onClick={onStay}
          >
            {stayLabel}
          </Button>
          <Button variant="ember" paddingInline={{ base: '3.5', sm: '5' }} pending={pending} onClick={onSave}>
            {saveLabel}
          </Button>
        </>
      }
    />
  )
}
