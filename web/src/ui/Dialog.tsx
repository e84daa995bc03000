import { Dialog as Parts, Portal } from '@chakra-ui/react'
import { type ReactNode, useRef } from 'react'
import { Button } from './Button'
import { IconButton } from './IconButton'
import { CloseIcon } from './icons'
import { toastRegion } from './toaster'

/** A modal: focus stays inside and returns to where it came from; Escape and the backdrop close it. */
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
  /** What gets the focus when it opens; its first control, where nothing is said. */
  initialFocus?: () => HTMLElement | null
  /** What gets the focus when it closes; what had it before, where it says nothing. */
  finalFocus?: () => HTMLElement | null
}) {
  return (
    <Parts.Root
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      role={role}
      initialFocusEl={initialFocus}
      finalFocusEl={finalFocus}
      // A menu that was left for it gives the focus back a moment later: the dialog takes it again, and stays.
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
              <IconButton label="Close" tooltip={false}>
                <CloseIcon />
              </IconButton>
            </Parts.CloseTrigger>
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/** Asks before something that cannot be taken back; the focus starts where a press does no harm. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  text,
  confirmLabel,
  cancelLabel = 'Cancel',
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
  /** Says what stays, where what is asked about is itself a cancelling. */
  cancelLabel?: string
  pending?: boolean
  danger?: boolean
  /** As a `Dialog`'s. */
  finalFocus?: () => HTMLElement | null
}) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={text}
      role="alertdialog"
      initialFocus={() => cancel.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button ref={cancel} variant="outline" onClick={onClose}>
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
