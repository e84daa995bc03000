import type { UserCard } from '@contract/user.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isolateBidi } from '@/lib/bidi'
import { displayName } from '@/lib/text'
import { useOpenReportDialog } from '@/moderation/dialogs'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { blockedUsersQuery, useUnblockUser } from '../api/relations'
import { nextRowFocusTarget } from '../focus'
import { UserListItem, UserListSection } from './UserListSection'

const blockedUsersHeadingId = 'blocked-people'

/** Whom the person has blocked, and the way to take that back. */
export function BlockedUsers() {
  const list = useInfiniteQuery(blockedUsersQuery)
  return (
    <UserListSection
      heading={blockedUsersHeadingId}
      title="Blocked people"
      text="You do not see each other’s posts, comments and profiles, and cannot follow or message each other. You can block somebody on their profile."
      list={list}
      empty="You have blocked nobody."
    >
      {(person) => <Blocked key={person.id} person={person} />}
    </UserListSection>
  )
}

function Blocked({ person }: { person: UserCard }) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const after = useRef<HTMLElement>(null)
  const unblock = useUnblockUser(person, () => {
    after.current = nextRowFocusTarget(button.current, blockedUsersHeadingId)
    setAsking(false)
    // The dialog goes together with its row, and the focus would with it.
    setTimeout(() => {
      if (document.activeElement === document.body) after.current?.focus()
    }, 100)
  })
  const reportButton = useRef<HTMLButtonElement>(null)
  const report = useOpenReportDialog()
  const name = isolateBidi(displayName(person))
  return (
    <UserListItem person={person}>
      <Button
        ref={reportButton}
        variant="ghost"
        size="sm"
        aria-label={`Report ${displayName(person)}`}
        onClick={() =>
          report({
            kind: 'user',
            id: person.id,
            person: { id: person.id, name: displayName(person) },
            isBlocked: true,
            finalFocus: () => reportButton.current,
          })
        }
      >
        Report
      </Button>
      <Button
        ref={button}
        variant="outline"
        size="sm"
        aria-label={`Unblock ${displayName(person)}`}
        onClick={() => setAsking(true)}
      >
        Unblock
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => unblock.mutate()}
        pending={unblock.isPending}
        danger={false}
        finalFocus={() => after.current ?? button.current}
        title={`Unblock ${name}?`}
        text="They can find and see you again, follow you, and write to you. They are not told."
        confirmLabel="Unblock"
      />
    </UserListItem>
  )
}
