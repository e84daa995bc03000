import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { Button, type ButtonProps } from '@/ui/Button'
import { type AdminAction, approve, liftSuspension, setCreator, type useAdminAction } from '../api'
import type { UserDialogKind } from './UserDialogs'

/** Shows the available actions. For admins, this is only editing the profile. */
export function UserActions({
  user,
  adminAction: { run, pendingAction },
  onOpenDialog,
}: {
  user: AdminUser
  adminAction: ReturnType<typeof useAdminAction>
  onOpenDialog: (kind: UserDialogKind, trigger: HTMLElement) => void
}) {
  const name = displayName(user)
  const dialogButton = (label: string, kind: UserDialogKind, props: ButtonProps = {}) => (
    <ActionButton
      {...props}
      label={label}
      name={name}
      onClick={({ currentTarget }) => onOpenDialog(kind, currentTarget)}
    />
  )
  const runButton = (label: string, action: AdminAction, props: ButtonProps = {}) => (
    <ActionButton
      {...props}
      label={label}
      name={name}
      pending={pendingAction === action.name}
      onClick={() => run(action)}
    />
  )
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      justifyContent={{ xl: 'flex-end' }}
      gap="2"
      marginTop={{ base: '3', xl: '0' }}
    >
      {dialogButton(t`Edit Profile`, 'edit')}
      {!user.isAdmin && (
        <>
          {user.isCreator && dialogButton(t`Create New Post`, 'post')}
          {!user.approvedAt && runButton(t`Approve`, approve(user))}
          {user.isCreator
            ? runButton(t`Remove Creator`, setCreator(user, false))
            : runButton(t`Make Creator`, setCreator(user, true))}
          {user.suspended
            ? runButton(t`Lift suspension`, liftSuspension(user))
            : dialogButton(t`Suspend`, 'suspend', { color: 'danger.text' })}
          {dialogButton(t({ message: 'Remove', context: 'account' }), 'remove', { color: 'danger.text' })}
        </>
      )}
    </Box>
  )
}

function ActionButton({
  label,
  name,
  ...button
}: { label: string; name: string; children?: ReactNode } & ButtonProps) {
  return (
    <Button
      variant="outline"
      size="sm"
      paddingInline={{ base: '3', sm: '3.5' }}
      aria-label={t`${label}: ${name}`}
      {...button}
    >
      {label}
    </Button>
  )
}
