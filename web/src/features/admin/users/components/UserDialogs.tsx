import type { AdminUser } from '@contract/admin.ts'
import { CreatePostDialog } from './CreatePostDialog'
import { EditUserDialog } from './EditUserDialog'
import { PreviewPostDialog } from './PreviewPostDialog'
import { RemoveUserDialog } from './RemoveUserDialog'
import { SuspendUserDialog } from './SuspendUserDialog'

/** What is asked about in a dialog before it is done. */
export type UserDialogKind = 'edit' | 'post' | 'preview' | 'suspend' | 'remove'

/**
 * What an admin does with somebody. They are held here as they were when it began, `turn` counting each time: the list
 * may show them changed meanwhile, or no more, and what was typed stays.
 */
export type UserDialogState = {
  open: boolean
  turn: number
  action: UserDialogKind
  person: AdminUser
  /** What was pressed. */
  from: HTMLElement
  /** The card that it stands on. */
  row: HTMLElement | null
}

/** What each of the dialogs is told. */
export type UserDialogProps = {
  person: AdminUser
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** The dialogs of all cards; the focus goes back to what was pressed, its card, or else `heading`. */
export function UserDialogs({
  asking: { open, turn, action, person, from, row },
  onClose,
  heading,
}: {
  asking: UserDialogState
  onClose: () => void
  heading: () => HTMLElement | null
}) {
  const about: UserDialogProps = {
    person,
    open,
    onClose,
    finalFocus: () => [from, row].find((element) => element?.isConnected) ?? heading(),
  }
  switch (action) {
    case 'edit':
      return <EditUserDialog key={turn} {...about} />
    case 'post':
      return <CreatePostDialog key={turn} {...about} />
    case 'preview':
      return <PreviewPostDialog key={turn} {...about} />
    case 'suspend':
      return <SuspendUserDialog key={turn} {...about} />
    case 'remove':
      return <RemoveUserDialog key={turn} {...about} />
  }
}
