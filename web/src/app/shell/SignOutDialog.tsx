import { useState } from 'react'
import { useSignOutConfirmation } from '@/session/session'
import { ConfirmDialog } from '@/ui/Dialog'
import { accountMenuButton } from './ProfileMenu'

type Lost = { unsent: number; unsaved: boolean }

function wordsFor({ unsent, unsaved }: Lost): { title: string; text: string } {
  const ofProfile = 'Changes to your profile are not saved.'
  if (unsent === 0) return { title: 'Log out with unsaved changes?', text: `${ofProfile} They will be lost.` }
  const [what, they] = unsent === 1 ? ['A message has', 'It'] : [`${unsent} messages have`, 'They']
  return {
    title: 'Log out with unsent messages?',
    text: `${what} not been sent yet. ${unsaved ? `${ofProfile} All of it` : they} will be lost.`,
  }
}

/** Asks before somebody signs out who has messages to send or a profile to save: those exist in this browser alone. */
export function SignOutDialog() {
  const { lost, answer } = useSignOutConfirmation()
  // The words stay while the dialog leaves.
  const [shown, setShown] = useState<Lost>({ unsent: 0, unsaved: false })
  if (lost && lost !== shown) setShown(lost)
  return (
    <ConfirmDialog
      open={lost !== null}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
      {...wordsFor(shown)}
      confirmLabel="Log out"
      // What was pressed to log out went with its menu.
      finalFocus={accountMenuButton}
    />
  )
}
