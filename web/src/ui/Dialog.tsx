import { Dialog as Parts, Portal } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from './Button'
import { IconButton } from './IconButton'
import { CloseIcon } from './icons'
import { toastRegion } from './toaster'

/** Shows a modal dialog: it traps the focus and restores it on close. Escape and a press on the backdrop close it. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  role = 'dialog',
  initialFocus,
  finalFocus,
}: {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  role?: 'dialog' | 'alertdialog'
  /** Returns the element to focus when the dialog opens; its first control by default. */
  initialFocus?: () => HTMLElement | null
  /** Returns the element to focus when the dialog closes; the previously focused one if null or left out. */
  finalFocus?: () => HTMLElement | null
}) {
  // Not rendered until it first opens, because lists contain many dialogs. After that it stays rendered, for its exit
  // animation.
  const [hasOpened, setHasOpened] = useState(open)
  if (open && !hasOpened) setHasOpened(true)
  if (!hasOpened) return null
  return (
    <Parts.Root
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      role={role}
      initialFocusEl={initialFocus}
      finalFocusEl={finalFocus}
      // A menu that opened the dialog restores the focus a moment later. This must not close the dialog.
      onFocusOutside={(event) => event.preventDefault()}
      persistentElements={[toastRegion]}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Parts.Backdrop />
        <Parts.Positioner>
          <Parts.Content>
            <Parts.Header paddingInlineEnd="14">
              <Parts.Title>{title}</Parts.Title>
              {description && <Parts.Description marginTop="1.5">{description}</Parts.Description>}
            </Parts.Header>
            {children && <Parts.Body>{children}</Parts.Body>}
            {footer && <Parts.Footer>{footer}</Parts.Footer>}
            <Parts.CloseTrigger asChild>
              <IconButton label={t`Close`} tooltip={false}>
                <CloseIcon />
              </IconButton>
            </Parts.CloseTrigger>
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/** Asks for confirmation of an action. The focus starts on the cancel button. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  text,
  confirmLabel,
  cancelLabel = t`Cancel`,
  pending,
  danger = true,
  finalFocus,
}: {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  text: ReactNode
  confirmLabel: string
  /** Needed where the action itself is a cancellation. */
  cancelLabel?: string
  pending?: boolean
  danger?: boolean
  /** See `Dialog`. */
  finalFocus?: () => HTMLElement | null
}) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={text}
      role="alertdialog"
      initialFocus={() => cancelButton.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button ref={cancelButton} variant="outline" onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button variant={danger ? 'danger' : 'ember'} onClick={onConfirm} pending={pending}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}
