import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { TextareaField, TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { isBalanceLeftError, useRemoveUser } from '../api'
import type { UserDialogProps } from './UserDialogs'

const List = chakra('ul', {
  base: { listStyleType: 'disc', paddingInlineStart: '5', display: 'grid', gap: '1' },
})

/**
 * Shows what the removal of an account deletes, and asks for a reason and the username. If the user has a balance, also
 * asks the admin to forfeit it.
 */
export function RemoveUserDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [reason, setReason] = useState('')
  const [typedUsername, setTypedUsername] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const [forfeitBalance, setForfeitBalance] = useState(false)
  /** The server's message about the balance, after the first attempt. */
  const [balanceMessage, setBalanceMessage] = useState<string>()
  const { remove, isPending } = useRemoveUser(user, onClose)
  const isConfirmed = typedUsername.trim().replace(/^@/, '').toLowerCase() === user.username.toLowerCase()
  const isDirty = reason.trim() !== ''
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty,
    // A removal cannot be canceled.
    busy: isPending,
    onClose,
    finalFocus,
    guard: useLeaveGuard(open && isDirty),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setSubmitted(true)
    if (isDirty && isConfirmed) {
      remove(
        { reason: reason.trim(), giveUpBalance: forfeitBalance },
        { onError: (error) => isBalanceLeftError(error) && setBalanceMessage(error.serverMessage) },
      )
      return
    }
    // Waits until the invalid fields are marked.
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
            <bdi>{displayName(user)}</bdi> (@{user.username}) is removed at once, and their email address
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
          <RemovalEffects />
          <chakra.form ref={form} id={id} noValidate display="grid" gap="4" onSubmit={submit}>
            <TextareaField
              label="Reason"
              hint="It is written to them."
              maxLength={limits.moderationReason.max}
              value={reason}
              error={isSubmitted && !isDirty ? 'Please say why.' : undefined}
              dir="auto"
              onChange={({ target }) => setReason(target.value)}
            />
            <TextField
              label={`Type ${user.username} to confirm`}
              value={typedUsername}
              error={isSubmitted && !isConfirmed ? 'This is not their username.' : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => setTypedUsername(target.value)}
            />
            {balanceMessage && (
              <Box role="alert" padding="4" bg="sunken" borderRadius="md">
                <Switch
                  label="Give up their balance"
                  hint={balanceMessage}
                  checked={forfeitBalance}
                  onChange={setForfeitBalance}
                />
              </Box>
            )}
          </chakra.form>
        </Box>
      </Dialog>
      <DiscardDialog confirmation={confirmation} text="Nobody was removed, and it is not kept." />
    </>
  )
}

function RemovalEffects() {
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
