import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import {
  BanIcon,
  CheckIcon,
  MoreIcon,
  PencilIcon,
  PlusIcon,
  SparkIcon,
  StarIcon,
  TrashIcon,
} from '@/ui/icons'
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu'
import { Spinner } from '@/ui/Skeleton'
import { type AdminAction, approve, liftSuspension, setCreator, type useAdminAction } from '../api'
import type { UserDialogKind } from './UserDialogs'

type UserAction = { label: string; icon: ReactNode; danger?: boolean } & (
  | { dialog: UserDialogKind }
  | { action: AdminAction }
)

/**
 * Shows a menu of actions, and a button to approve an account that is waiting for approval. For an admin's
 * account, the only action is editing the profile.
 *
 * @param isAwaitingApproval whether the account is read-only until it is approved
 * @param panel the panel for auto-posting, if the account has one
 */
export function UserActions({
  user,
  isAwaitingApproval,
  panel,
  adminAction: { run, pendingAction },
  onOpenDialog,
}: {
  user: AdminUser
  isAwaitingApproval: boolean
  panel: { isOpen: boolean; toggle: () => void } | undefined
  adminAction: ReturnType<typeof useAdminAction>
  onOpenDialog: (kind: UserDialogKind, trigger: HTMLElement) => void
}) {
  const name = displayName(user)
  const menuButton = useRef<HTMLButtonElement>(null)
  const actions = getUserActions(user)
  const approval = isAwaitingApproval ? actions.find(isApproval) : undefined
  const others = actions.filter((item) => item !== approval)
  const start = (item: UserAction, trigger: HTMLElement | null) => {
    if ('action' in item) run(item.action)
    else if (trigger) onOpenDialog(item.dialog, trigger)
  }
  const isPending = (item: UserAction) => 'action' in item && item.action.name === pendingAction
  const isMenuPending = others.some(isPending)
  const renderItem = (item: UserAction) => (
    <MenuItem
      key={item.label}
      value={item.label}
      danger={item.danger}
      onSelect={() => start(item, menuButton.current)}
    >
      {item.icon} {item.label}
    </MenuItem>
  )
  const menuLabel = t`More about ${name}`
  return (
    <Box display="flex" alignItems="center" justifyContent="flex-end" gap="1">
      {approval && (
        <Button
          variant="tinted"
          size="sm"
          paddingInline="3.5"
          aria-label={t`${{ label: approval.label }}: ${name}`}
          pending={isPending(approval)}
          onClick={({ currentTarget }) => start(approval, currentTarget)}
        >
          {approval.label}
        </Button>
      )}
      <Menu
        label={menuLabel}
        trigger={
          <Button
            ref={menuButton}
            size="icon"
            variant="ghost"
            aria-label={menuLabel}
            // Not `disabled`: a disabled button loses focus.
            aria-busy={isMenuPending || undefined}
          >
            {isMenuPending ? <Spinner /> : <MoreIcon />}
          </Button>
        }
      >
        {others.filter((item) => !item.danger).map(renderItem)}
        {panel && (
          <MenuItem value="auto-posting" onSelect={panel.toggle}>
            <SparkIcon /> {panel.isOpen ? t`Hide auto-posting` : t`Auto-posting`}
          </MenuItem>
        )}
        {!user.isAdmin && <MenuSeparator />}
        {others.filter((item) => item.danger).map(renderItem)}
      </Menu>
    </Box>
  )
}

const isApproval = (item: UserAction) => 'action' in item && item.action.name === 'approve'

/** Returns the actions that are available for a user. */
function getUserActions(user: AdminUser): UserAction[] {
  const edit: UserAction = { label: t`Edit Profile`, icon: <PencilIcon />, dialog: 'edit' }
  if (user.isAdmin) return [edit]
  const actions: UserAction[] = [edit]
  if (user.isCreator) actions.push({ label: t`Create New Post`, icon: <PlusIcon />, dialog: 'post' })
  if (!user.approvedAt) actions.push({ label: t`Approve`, icon: <CheckIcon />, action: approve(user) })
  return [
    ...actions,
    {
      label: user.isCreator ? t`Remove Creator` : t`Make Creator`,
      icon: <StarIcon />,
      action: setCreator(user, !user.isCreator),
    },
    user.suspended
      ? { label: t`Lift suspension`, icon: <BanIcon />, action: liftSuspension(user) }
      : { label: t`Suspend`, icon: <BanIcon />, danger: true, dialog: 'suspend' },
    {
      label: t({ message: 'Remove', context: 'account' }),
      icon: <TrashIcon />,
      danger: true,
      dialog: 'remove',
    },
  ]
}
