import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { Button, type ButtonProps } from '@/ui/Button'
import { type AdminAction, approve, liftSuspension, setCreator, type useAdminAction } from '../admin-actions'
import type { UserDialogKind } from './UserDialogs'

type Deeds = ReturnType<typeof useAdminAction>
/** Told what is to be done, and what was pressed for it. */
type OnAsk = (action: UserDialogKind, from: HTMLElement) => void

/** What can be done with an account. Admins are exempt from all but the editing. */
export function UserActions({
  person,
  deeds: { act, pending },
  onAsk,
}: {
  person: AdminUser
  deeds: Deeds
  onAsk: OnAsk
}) {
  const name = displayName(person)
  const asks = (label: string, action: UserDialogKind, look: ButtonProps = {}) => (
    <Small
      {...look}
      label={label}
      name={name}
      onClick={({ currentTarget }) => onAsk(action, currentTarget)}
    />
  )
  const does = (label: string, deed: AdminAction, look: ButtonProps = {}) => (
    <Small
      {...look}
      label={label}
      name={name}
      pending={pending === deed.name}
      onClick={({ currentTarget }) => {
        const row = currentTarget.closest('li')
        // The button may go with what it did; one that was disabled meanwhile has lost the focus.
        act(deed, () => setTimeout(() => document.activeElement === document.body && row?.focus()))
      }}
    />
  )
  return (
    <Box display="flex" flexWrap="wrap" gap="2" marginTop="4">
      {asks('Edit Profile', 'edit')}
      {!person.isAdmin && (
        <>
          {person.isCreator && asks('Create New Post', 'post')}
          {!person.approvedAt && does('Approve', approve(person))}
          {does(person.isCreator ? 'Remove Creator' : 'Make Creator', setCreator(person, !person.isCreator))}
          {person.suspended
            ? does('Lift suspension', liftSuspension(person))
            : asks('Suspend', 'suspend', { color: 'danger.text' })}
          {asks('Remove', 'remove', { color: 'danger.text' })}
        </>
      )}
    </Box>
  )
}

function Small({
  label,
  name,
  ...button
}: { label: string; name: string; children?: ReactNode } & ButtonProps) {
  return (
    <Button
      variant="outline"
      size="sm"
      paddingInline={{ base: '3', sm: '3.5' }}
      aria-label={`${label}: ${name}`}
      {...button}
    >
      {label}
    </Button>
  )
}
