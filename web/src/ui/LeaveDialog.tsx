import { useRef } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'

/** Asks who leaves a screen what becomes of what is not saved; the focus starts where a press loses nothing. */
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
  /** It is being saved. */
  pending: boolean
  onStay: () => void
  onDiscard: () => void
  onSave: () => void
  /** As a `Dialog`'s. */
  finalFocus?: () => HTMLElement | null
}) {
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title={title}
      description={text}
      role="alertdialog"
      initialFocus={() => keep.current}
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
            Discard
          </Button>
          <Button ref={keep} variant="outline" paddingInline={{ base: '3.5', sm: '5' }} onClick={onStay}>
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
