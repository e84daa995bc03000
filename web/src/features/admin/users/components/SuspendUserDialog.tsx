import { chakra } from '@chakra-ui/react'
import { SuspendUserRequest } from '@contract/admin.ts'
import { limits } from '@contract/limits.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog } from '@/ui/DiscardDialog'
import { SelectField, TextareaField } from '@/ui/Field'
import { useDiscardConfirmation } from '@/ui/useDiscardConfirmation'
import { suspend, useAdminAction } from '../admin-actions'
import type { UserDialogProps } from './UserDialogs'

const choices = [1, 3, 7, 30, 90]
const untilLifted = 'lifted'

/** Asks why somebody is suspended, and for how long. */
export function SuspendUserDialog({ person, open, onClose, finalFocus }: UserDialogProps) {
  const form = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('7')
  const [wrong, setWrong] = useState<string>()
  const { act, pending } = useAdminAction(person.id)
  const typed = reason.trim() !== ''
  const { close, question } = useDiscardConfirmation({
    open,
    typed,
    busy: pending !== undefined,
    onClose,
    finalFocus,
    guard: useLeaveGuard(open && typed),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const request = SuspendUserRequest.safeParse({ reason, days: days === untilLifted ? null : Number(days) })
    setWrong(request.error?.issues[0]?.message)
    if (request.success) act(suspend(person, request.data), onClose)
    else field.current?.focus()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => field.current}
        title="Suspend this account?"
        description={
          <>
            <bdi>{displayName(person)}</bdi> (@{person.username}) can sign in and read, and change nothing
            until it is over.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={pending !== undefined}>
              Cancel
            </Button>
            <Button type="submit" form={form} variant="danger" pending={pending !== undefined}>
              Suspend
            </Button>
          </>
        }
      >
        <chakra.form id={form} noValidate display="grid" gap="4" paddingBlock="2" onSubmit={submit}>
          <TextareaField
            ref={field}
            label="Reason"
            hint="They read it, and may appeal."
            maxLength={limits.moderationReason.max}
            value={reason}
            error={wrong}
            dir="auto"
            onChange={({ target }) => {
              setReason(target.value)
              setWrong(undefined)
            }}
          />
          <SelectField label="For how long" value={days} onChange={({ target }) => setDays(target.value)}>
            {choices.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? '1 day' : `${count} days`}
              </option>
            ))}
            <option value={untilLifted}>Until it is lifted</option>
          </SelectField>
        </chakra.form>
      </Dialog>
      <DiscardDialog question={question} text="Nobody was suspended, and it is not kept." />
    </>
  )
}
