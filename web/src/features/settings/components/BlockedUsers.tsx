import type { UserCard } from '@contract/user.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { displayName, isolateBidi } from '@/lib/text'
import { useOpenReportDialog } from '@/moderation/dialogs'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { blockedUsersQuery, useUnblockUser } from '../api/relations'
import { nextRowFocusTarget } from '../focus'
import { UserListItem, UserListSection } from './UserListSection'

const blockedUsersHeadingId = 'blocked-people'

/** Shows the users whom the current user has blocked, with buttons to report and unblock them. */
export function BlockedUsers() {
  const list = useInfiniteQuery(blockedUsersQuery)
  return (
    <UserListSection
      headingId={blockedUsersHeadingId}
      title="Blocked people"
      text="You do not see each other’s posts, comments and profiles, and cannot follow or message each other. You can block somebody on their profile."
      list={list}
      empty="You have blocked nobody."
    >
      {(user) => <BlockedUser key={user.id} user={user} />}
    </UserListSection>
  )
}

function BlockedUser({ user }: { user: UserCard }) {
  const unblockButton = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const nextFocusTarget = useRef<HTMLElement>(null)
  const unblock = useUnblockUser(user, () => {
    nextFocusTarget.current = nextRowFocusTarget(unblockButton.current, blockedUsersHeadingId)
    setDialogOpen(false)
    // The dialog is removed together with its row before it can restore the focus.
    setTimeout(() => {
      if (document.activeElement === document.body) nextFocusTarget.current?.focus()
    }, 100)
  })
  const reportButton = useRef<HTMLButtonElement>(null)
  const openReportDialog = useOpenReportDialog()
  const name = isolateBidi(displayName(user))
  return (
    <UserListItem user={user}>
      <Button
        ref={reportButton}
        variant="ghost"
        size="sm"
        aria-label={`Report ${displayName(user)}`}
        onClick={() =>
          openReportDialog({
            kind: 'user',
            id: user.id,
            user: { id: user.id, name: displayName(user) },
            isBlocked: true,
            finalFocus: () => reportButton.current,
          })
        }
      >
        Report
      </Button>
      <Button
        ref={unblockButton}
        variant="outline"
        size="sm"
        aria-label={`Unblock ${displayName(user)}`}
        onClick={() => setDialogOpen(true)}
      >
        Unblock
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => unblock.mutate()}
        pending={unblock.isPending}
        danger={false}
        finalFocus={() => nextFocusTarget.current ?? unblockButton.current}
        title={`Unblock ${name}?`}
        text="They can find and see you again, follow you, and write to you. They are not told."
        confirmLabel="Unblock"
      />
    </UserListItem>
  )
}
