import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog } from '@/ui/DiscardDialog'
import { TextareaField, TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { useDiscardConfirmation } from '@/ui/useDiscardConfirmation'
import { isBalanceLeftError, useRemoveUser } from '../admin-actions'
import type { UserDialogProps } from './UserDialogs'

const List = chakra('ul', {
  base: { listStyleType: 'disc', paddingInlineStart: '5', display: 'grid', gap: '1' },
})

/** Says what goes with an account, asks why, and for the username, and for giving up what is owed where something is. */
export function RemoveUserDialog({ person, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [checked, setChecked] = useState(false)
  const [givesUp, setGivesUp] = useState(false)
  /** What the server says is owed: told once, it stays to be decided on. */
  const [owed, setOwed] = useState<string>()
  const { remove, isPending } = useRemoveUser(person, onClose)
  const isNamed = typed.trim().replace(/^@/, '').toLowerCase() === person.username.toLowerCase()
  const written = reason.trim() !== ''
  const { close, question } = useDiscardConfirmation({
    open,
    typed: written,
    // What is under way cannot be called back.
    busy: isPending,
    onClose,
    finalFocus,
    guard: useLeaveGuard(open && written),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setChecked(true)
    if (reason.trim() && isNamed) {
      remove(
        { reason: reason.trim(), giveUpBalance: givesUp },
        { onError: (error) => isBalanceLeftError(error) && setOwed(error.serverMessage) },
      )
      return
    }
    // The marks are on the page by then.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => form.current?.querySelector('textarea') ?? null}
        role="alertdialog"
        title="Remove this account?"
        description={
          <>
            <bdi>{displayName(person)}</bdi> (@{person.username}) is removed at once, and their email address
            cannot register again. This cannot be taken back.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              Cancel
            </Button>
            <Button variant="danger" type="submit" form={id} pending={isPending} pendingLabel="Removing…">
              Remove account
            </Button>
          </>
        }
      >
        <Box display="grid" gap="5" paddingBlock="2">
          <WhatHappens />
          <chakra.form ref={form} id={id} noValidate display="grid" gap="4" onSubmit={submit}>
            <TextareaField
              label="Reason"
              hint="It is written to them."
              maxLength={limits.moderationReason.max}
              value={reason}
              error={checked && !reason.trim() ? 'Please say why.' : undefined}
              dir="auto"
              onChange={({ target }) => setReason(target.value)}
            />
            <TextField
              label={`Type ${person.username} to confirm`}
              value={typed}
              error={checked && !isNamed ? 'This is not their username.' : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
            {owed && (
              <Box role="alert" padding="4" bg="sunken" borderRadius="md">
                <Switch label="Give up their balance" hint={owed} checked={givesUp} onChange={setGivesUp} />
              </Box>
            )}
          </chakra.form>
        </Box>
      </Dialog>
      <DiscardDialog question={question} text="Nobody was removed, and it is not kept." />
    </>
  )
}

function WhatHappens() {
  return (
    <Box display="grid" gap="3" textStyle="small">
      <div>
        <Box textStyle="label" marginBottom="1">
          What goes
        </Box>
        <List>
          <li>Their profile, settings, pictures, videos and gallery</li>
          <li>Their posts, with every comment under them, and what others unlocked of them</li>
          <li>Their likes, saves, follows, notifications and sessions</li>
          <li>Subscriptions: theirs, and those of others to them, end at once</li>
        </List>
      </div>
      <div>
        <Box textStyle="label" marginBottom="1">
          What stays, as of a ‘Deleted user’
        </Box>
        <List>
          <li>Their comments on posts of others, and what they wrote to others</li>
          <li>Payments, reports and the audit log, without their name</li>
        </List>
      </div>
    </Box>
  )
}
