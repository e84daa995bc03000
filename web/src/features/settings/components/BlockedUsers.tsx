import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { displayName, isolateBidi } from '@/lib/text'
import { useOpenReportDialog } from '@/moderation/dialogs'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { blockedUsersQuery, useUnblockUser } from '../api/relations'
import { UserListItem, UserListSection } from './UserListSection'

const blockedUsersHeadingId = 'blocked-people'

/** Shows the users whom the current user has blocked, with buttons to report and unblock them. */
export function BlockedUsers() {
  const list = useInfiniteQuery(blockedUsersQuery)
  return (
    <UserListSection
      headingId={blockedUsersHeadingId}
      title={t`Blocked people`}
      text={t`You can’t see each other’s posts, comments and profiles, or follow or message each other. To block someone, open their profile.`}
      list={list}
      empty={t`You haven’t blocked anyone.`}
    >
      {(user) => <BlockedUser key={user.id} user={user} />}
    </UserListSection>
  )
}

function BlockedUser({ user }: { user: UserCard }) {
  const unblockButton = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const unblock = useUnblockUser(user)
  const reportButton = useRef<HTMLButtonElement>(null)
  const openReportDialog = useOpenReportDialog()
  const plainName = displayName(user)
  const name = isolateBidi(plainName)
  return (
    <UserListItem user={user}>
      <Button
        ref={reportButton}
        variant="ghost"
        size="sm"
        aria-label={t`Report ${plainName}`}
        onClick={() =>
          openReportDialog({
            kind: 'user',
            id: user.id,
            user: { id: user.id, name: plainName },
            isBlocked: true,
            finalFocus: () => reportButton.current,
          })
        }
      >
        {t({ message: 'Report', context: 'verb' })}
      </Button>
      <Button
        ref={unblockButton}
        variant="outline"
        size="sm"
        aria-label={t`Unblock ${plainName}`}
        onClick={() => setDialogOpen(true)}
      >
        {t`Unblock`}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => unblock.mutate()}
        pending={unblock.isPending}
        danger={false}
        finalFocus={() => unblockButton.current}
        title={t`Unblock ${name}?`}
        text={t`They’ll be able to find you, see your posts, follow you and message you again. They won’t be notified.`}
        confirmLabel={t`Unblock`}
      />
    </UserListItem>
  )
}
