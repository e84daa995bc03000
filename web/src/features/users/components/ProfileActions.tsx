import { Box } from '@chakra-ui/react'
import { PostAlerts, type User, type UserDetails } from '@contract/user.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { SubscribeButton } from '@/billing/components/SubscribeButton'
import { useOpenTipDialog } from '@/billing/tips'
import { paths } from '@/lib/paths'
import { displayName, isolateBidi } from '@/lib/text'
import { useBlockUser } from '@/moderation/api'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { readOnlyReasonText } from '@/moderation/read-only'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { BanIcon, BellIcon, CoinIcon, MessageIcon, MoreIcon } from '@/ui/icons'
import { Menu, MenuChoice, MenuItem } from '@/ui/Menu'
import { Tooltip } from '@/ui/Tooltip'
import { useSetPostAlerts } from '../api'
import FollowButton from './FollowButton'

/** Shows the actions on another user's profile. */
export function ProfileActions({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  return (
    <Box display="flex" flexWrap="wrap" gap="2">
      <Box display="flex" flexWrap="wrap" gap="2">
        <FollowButton user={user} />
        {user.followStatus === 'following' && <PostAlertsMenu user={user} />}
        {isAuthenticated && <MessageLink user={user} />}
        <MoreMenu user={user} />
      </Box>
      {/* The paid actions wrap as a group. */}
      {user.isCreator && user.canView && (
        <Box display="flex" flexWrap="wrap" gap="2">
          <SubscribeButton user={user} />
          <TipUserButton user={user} />
        </Box>
      )}
    </Box>
  )
}

const postAlertLabels: Record<PostAlerts, MessageDescriptor> = {
  all: msg`All posts`,
  highlights: msg`Highlights: premium posts and products`,
  off: msg({ message: 'Off', context: 'notifications about new posts' }),
}

/** Shows the bell with which the viewer chooses the posts of a followed user that they are notified of. */
function PostAlertsMenu({ user }: { user: UserDetails }) {
  const setPostAlerts = useSetPostAlerts(user)
  const name = displayName(user)
  // Null until the profile has been refetched after a follow.
  const level = user.postAlerts ?? (user.subscription ? 'all' : 'off')
  const levelLabel = t(postAlertLabels[level])
  return (
    <Menu
      label={t`New posts from ${name}`}
      trigger={
        <Button size="icon" variant="outline" aria-label={t`New posts from ${name}: ${levelLabel}`}>
          <BellIcon filled={level !== 'off'} />
        </Button>
      }
    >
      <MenuChoice
        label={t`Notify me about new posts`}
        value={level}
        onChange={(value) => setPostAlerts.mutate(PostAlerts.parse(value))}
        options={PostAlerts.options.map((value) => ({ value, label: t(postAlertLabels[value]) }))}
      />
    </Menu>
  )
}

function MessageLink({ user }: { user: User }) {
  const { user: viewer } = useCurrentUser()
  const label = t({ message: 'Message', context: 'verb' })
  if (user.canMessage) {
    return (
      <ButtonLink to={paths.messages.getHref(user.id)} variant="outline">
        <MessageIcon /> {label}
      </ButtonLink>
    )
  }
  const name = displayName(user)
  const readOnlyReason = viewer && readOnlyReasonText(viewer)
  const reason = !user.allowDirectMessages
    ? t`This user has disabled direct messages`
    : readOnlyReason
      ? t`Your account is read-only. ${readOnlyReason}`
      : viewer?.emailConfirmed === false
        ? t`Confirm your email address to message people who don’t follow you`
        : t`You can’t message ${name} right now`
  return (
    <Tooltip label={reason}>
      {/* Not `disabled`, so that the tooltip with the reason works with pointer and keyboard. */}
      <Button variant="outline" aria-disabled aria-description={reason}>
        <MessageIcon /> {label}
      </Button>
    </Tooltip>
  )
}

function MoreMenu({ user }: { user: User }) {
  const [isBlockDialogOpen, setBlockDialogOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const { isAuthenticated } = useCurrentUser()
  const name = displayName(user)
  const isolatedName = isolateBidi(name)
  const { handle } = user
  const block = useBlockUser(user, name)
  return (
    <>
      <Menu
        label={t`More about ${name}`}
        trigger={
          <Button ref={trigger} size="icon" variant="outline" aria-label={t`More about ${name}`}>
            <MoreIcon />
          </Button>
        }
      >
        <ReportMenuItems
          subject={{
            kind: 'user',
            id: user.id,
            user: { id: user.id, name },
            finalFocus: () => trigger.current,
          }}
        />
        {isAuthenticated && (
          <MenuItem value="block" danger onSelect={() => setBlockDialogOpen(true)}>
            <BanIcon /> {t`Block @${handle}`}
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        open={isBlockDialogOpen}
        onClose={() => setBlockDialogOpen(false)}
        onConfirm={() => block.mutate(true, { onSettled: () => setBlockDialogOpen(false) })}
        pending={block.isPending}
        title={t`Block ${isolatedName}?`}
        text={t`You won’t see each other’s posts or profiles, and neither of you can follow or message the other. Past messages stay visible.`}
        confirmLabel={t({ message: 'Block', context: 'verb' })}
      />
    </>
  )
}

/** Shows the button that opens the tip dialog for the creator. */
function TipUserButton({ user }: { user: UserDetails }) {
  const openTipDialog = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Button
      ref={button}
      variant="outline"
      aria-haspopup="dialog"
      onClick={() => openTipDialog({ creator: user, finalFocus: () => button.current })}
    >
      <CoinIcon /> {t({ message: 'Tip', context: 'verb' })}
    </Button>
  )
}
