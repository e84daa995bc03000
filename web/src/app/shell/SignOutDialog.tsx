import { useState } from 'react'
import { useLeaving } from '@/lib/session'
import { ConfirmDialog } from '@/ui/Dialog'
import { accountButton } from './ProfileMenu'

/** Asks before somebody signs out whose messages are not sent yet: they exist in this browser alone. */
export function SignOutDialog() {
  const { unsent, answer } = useLeaving()
  // The words stay while the dialog leaves.
  const [shown, setShown] = useState(unsent)
  if (unsent > 0 && unsent !== shown) setShown(unsent)
  const [what, they] = shown === 1 ? ['A message has', 'It'] : [`${shown} messages have`, 'They']
  return (
    <ConfirmDialog
      open={unsent > 0}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
      title="Log out with unsent messages?"
      text={`${what} not been sent yet. ${they} will be lost.`}
      confirmLabel="Log out"
      // What was pressed to log out went with its menu.
      finalFocus={accountButton}
    />
  )
}
