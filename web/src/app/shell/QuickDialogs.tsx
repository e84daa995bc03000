import { useCurrentUser } from '@/session/session'
import { closeQuickDialog, useQuickDialogs } from './quick-dialogs'

/** Where the dialogs of the quick actions appear, on every screen of the shell. */
export function QuickDialogs() {
  const { open, loaded } = useQuickDialogs()
  const { user } = useCurrentUser()
  if (!user) return null
  return Object.entries(loaded).map(([action, Dialog]) => (
    <Dialog key={action} user={user} open={open === action} onClose={closeQuickDialog} />
  ))
}
