import { useCurrentUser } from '@/lib/session'
import { closeCompose, useComposeDialog } from './compose'

/** Where the dialog that writes a post appears, on every screen of the shell. */
export function ComposeModal() {
  const { open, Dialog } = useComposeDialog()
  const { user } = useCurrentUser()
  if (!Dialog || !user) return null
  return <Dialog user={user} open={open} onClose={closeCompose} />
}
