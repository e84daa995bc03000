import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { Dialog } from '@/ui/Dialog'
import { ComposerForm } from './Composer'

/** Shows a composer that can be opened on any page. It shares the home feed's draft and closes after posting. */
export default function ComposeDialog({
  user,
  open,
  onClose,
  finalFocus,
}: {
  user: OwnUser
  open: boolean
  onClose: () => void
  finalFocus?: () => HTMLElement | null
}) {
  const textareaId = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Create New Post`}
      initialFocus={() => document.getElementById(textareaId)}
    >
      <ComposerForm user={user} id={textareaId} rows={4} sticky onPosted={onClose} />
    </Dialog>
  )
}
