import type { AdminUser } from '@contract/admin.ts'
import { EditProfileDialog } from '../edit/EditProfileDialog'
import { CreatePostDialog } from '../post/CreatePostDialog'
import { PreviewDialog } from './PreviewDialog'
import { RemoveDialog } from './RemoveDialog'
import { SuspendDialog } from './SuspendDialog'

/** What is asked about in a dialog before it is done. */
export type Action = 'edit' | 'post' | 'preview' | 'suspend' | 'remove'

/**
 * What an admin does with somebody. They are held here as they were when it began, `turn` counting each time: the list
 * may show them changed meanwhile, or no more, and what was typed stays.
 */
export type Asking = {
  open: boolean
  turn: number
  action: Action
  person: AdminUser
  /** What was pressed. */
  from: HTMLElement
  /** The card that it stands on. */
  row: HTMLElement | null
}

/** What each of the dialogs is told. */
export type DialogProps = {
  person: AdminUser
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** The dialogs of all cards; the focus goes back to what was pressed, its card, or else `heading`. */
export function PeopleDialogs({
  asking: { open, turn, action, person, from, row },
  onClose,
  heading,
}: {
  asking: Asking
  onClose: () => void
  heading: () => HTMLElement | null
}) {
  const about: DialogProps = {
    person,
    open,
    onClose,
    finalFocus: () => [from, row].find((element) => element?.isConnected) ?? heading(),
  }
  switch (action) {
    case 'edit':
      return <EditProfileDialog key={turn} {...about} />
    case 'post':
      return <CreatePostDialog key={turn} {...about} />
    case 'preview':
      return <PreviewDialog key={turn} {...about} />
    case 'suspend':
      return <SuspendDialog key={turn} {...about} />
    case 'remove':
      return <RemoveDialog key={turn} {...about} />
  }
}
