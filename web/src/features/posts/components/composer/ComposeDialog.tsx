import type { OwnUser } from '@contract/user.ts'
import { useId } from 'react'
import { Dialog } from '@/ui/Dialog'
import { ComposerForm } from './ComposerForm'

/** Writes a post from any screen. It shows the same draft as the home feed's composer, and closes once it is posted. */
export default function ComposeDialog({
  user,
  open,
  onClose,
}: {
  user: OwnUser
  open: boolean
  onClose: () => void
}) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create New Post"
      initialFocus={() => document.getElementById(id)}
    >
      <ComposerForm user={user} id={id} rows={4} sticky onPosted={onClose} />
    </Dialog>
  )
}
