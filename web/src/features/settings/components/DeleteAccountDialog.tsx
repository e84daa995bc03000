import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { ApiError, errorMessage, isUnauthorized } from '@/lib/api'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { PasswordField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { useDeleteAccount } from '../api/account'

const List = chakra('ul', {
  base: { listStyleType: 'disc', paddingInlineStart: '5', display: 'grid', gap: '1' },
})

type Props = { userId: string; open: boolean; onClose: () => void; finalFocus: () => HTMLElement | null }

/** Says what goes and what stays, and asks for the password, and for giving up what is owed where something is. */
export function DeleteAccountDialog({ userId, open, onClose, finalFocus }: Props) {
  const form = useId()
  const first = useRef<HTMLInputElement>(null)
  const leaving = useDeleteAccount(userId)
  const close = () => {
    // What is under way cannot be called back.
    if (leaving.isPending) return
    leaving.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Delete your account?"
      description="This cannot be taken back."
      role="alertdialog"
      initialFocus={() => first.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={leaving.isPending}>
            Cancel
          </Button>
          <Button
            variant="danger"
            type="submit"
            form={form}
            pending={leaving.isPending}
            pendingLabel="Deleting..."
          >
            Delete my account
          </Button>
        </>
      }
    >
      <Box display="grid" gap="5">
        <WhatHappens />
        <Form id={form} passwordRef={first} leaving={leaving} />
      </Box>
    </Dialog>
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
          <li>Your profile, settings, pictures, videos and gallery</li>
          <li>Your posts, with every comment under them, and what others unlocked of them</li>
          <li>Your likes, saves, follows, notifications and sessions</li>
          <li>What is left of your balance, also where it is less than {dollars(limits.minimumPayout)}</li>
          <li>Subscriptions: yours, and those of others to you, end at once</li>
        </List>
      </div>
      <div>
        <Box textStyle="label" marginBottom="1">
          What stays, as of a ‘Deleted user’
        </Box>
        <List>
          <li>Your comments on posts of others, and what you wrote to others</li>
          <li>Payments, in the books and without your name</li>
        </List>
      </div>
    </Box>
  )
}

function Form({
  id,
  passwordRef,
  leaving,
}: {
  id: string
  passwordRef: React.RefObject<HTMLInputElement | null>
  leaving: ReturnType<typeof useDeleteAccount>
}) {
  const [password, setPassword] = useState('')
  const [givesUp, setGivesUp] = useState(false)
  const [empty, setEmpty] = useState(false)
  /** What the server says is owed: told once, it stays to be decided on. */
  const [owed, setOwed] = useState<string | null>(null)
  const { error } = leaving
  const code = error instanceof ApiError ? error.code : undefined
  const wrong = code === 'invalid_credentials' ? errorMessage(error, 'Incorrect password.') : undefined
  const other =
    error && !wrong && code !== 'balance_left' && !isUnauthorized(error)
      ? errorMessage(error, 'Your account could not be deleted. Please try again.')
      : null

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (leaving.isPending) return
    setEmpty(password === '')
    if (password === '') {
      passwordRef.current?.focus()
      return
    }
    leaving.mutate(
      { password, giveUpBalance: givesUp },
      {
        onError: (refused) => {
          if (refused instanceof ApiError && refused.code === 'balance_left') setOwed(refused.serverMessage)
          if (refused instanceof ApiError && refused.code === 'invalid_credentials') {
            setTimeout(() => passwordRef.current?.select(), 50)
          }
        },
      },
    )
  }

  return (
    <chakra.form id={id} noValidate onSubmit={submit} display="grid" gap="4">
      <PasswordField
        ref={passwordRef}
        label="Password"
        autoComplete="current-password"
        value={password}
        error={empty && password === '' ? 'Please enter your password.' : wrong}
        onChange={(event) => setPassword(event.target.value)}
      />
      {owed && (
        <Box role="alert" padding="4" bg="sunken" borderRadius="md">
          <Switch label="Give up my balance" hint={owed} checked={givesUp} onChange={setGivesUp} />
        </Box>
      )}
      {other && (
        <Box role="alert" textStyle="small" color="danger.text">
          {other}
        </Box>
      )}
    </chakra.form>
  )
}
