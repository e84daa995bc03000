import { t } from '@lingui/core/macro'
import { isolateBidi } from '@/lib/text'
import { ConfirmDialog } from '@/ui/Dialog'
import { useBlockUser } from '../api'

/** Asks whether to block a user, and blocks them. */
export function BlockUserDialog({
  user,
  name,
  open,
  onClose,
  finalFocus,
}: {
  user: { id: string }
  /** The user's name as it is displayed. */
  name: string
  open: boolean
  onClose: () => void
  /** See `Dialog`. */
  finalFocus?: () => HTMLElement | null
}) {
  const isolatedName = isolateBidi(name)
  const block = useBlockUser(user, name)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      onConfirm={() => block.mutate(true, { onSettled: onClose })}
      pending={block.isPending}
      title={t`Block ${isolatedName}?`}
      text={t`You won’t see each other’s posts or profiles, and neither of you can follow or message the other. Past messages stay visible.`}
      confirmLabel={t({ message: 'Block', context: 'verb' })}
    />
  )
}
