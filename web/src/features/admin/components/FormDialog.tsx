import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import type { LeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { ErrorText } from '@/ui/states'

/** Shows a dialog with a form. The fields are `children`. Asks for confirmation before input is discarded. */
export function FormDialog({
  open,
  onClose,
  finalFocus,
  title,
  description,
  submitLabel,
  danger = false,
  isDirty,
  guard,
  onSubmit,
  isPending,
  error,
  discardText,
  children,
}: {
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  title: string
  description: ReactNode
  submitLabel: string
  danger?: boolean
  /** Whether closing the dialog would lose input. */
  isDirty: boolean
  /** The leave guard of the page, if the user can leave it while the dialog is open. */
  guard?: LeaveGuard
  /** Validates the input, and sends it if it is valid. */
  onSubmit: () => Promise<void>
  isPending: boolean
  error?: string | null
  /** The consequence of discarding the input. */
  discardText: string
  children: ReactNode
}) {
  const id = useId()
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty,
    busy: isPending,
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
        description={description}
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              {t`Cancel`}
            </Button>
            <Button type="submit" form={id} variant={danger ? 'danger' : 'ember'} pending={isPending}>
              {submitLabel}
            </Button>
          </>
        }
      >
        <chakra.form
          id={id}
          noValidate
          display="grid"
          gap="4"
          paddingBlock="1"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending && open) void onSubmit()
          }}
        >
          {children}
          <ErrorText>{error}</ErrorText>
        </chakra.form>
      </Dialog>
      <DiscardDialog confirmation={confirmation} text={discardText} />
    </>
  )
}
