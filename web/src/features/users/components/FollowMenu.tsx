import { Box } from '@chakra-ui/react'
import { PostAlerts, type UserDetails } from '@contract/user.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useRef } from 'react'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { BellIcon, CheckIcon, ChevronDownIcon } from '@/ui/icons'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '@/ui/Menu'
import { useRestoreFocus } from '@/ui/restore-focus'
import { useSetPostAlerts, useToggleFollow } from '../api'
import FollowButton, { ButtonLabel, compactButton } from './FollowButton'

/**
 * Shows the follow button of a profile. If the viewer follows the user, shows a menu instead, to choose notifications
 * and to unfollow.
 *
 * @param primary whether following is the main action
 * @param compact whether to show an icon instead of the label on phones
 */
export function FollowMenu({
  user,
  size = 'sm',
  primary = false,
  compact = false,
}: {
  user: UserDetails
  size?: 'sm' | 'md'
  primary?: boolean
  compact?: boolean
}) {
  const { isAuthenticated } = useCurrentUser()
  const box = useRef<HTMLDivElement>(null)
  const isFollowing = isAuthenticated && user.followStatus === 'following'
  // The button and the menu replace each other.
  useRestoreFocus(isFollowing, () => box.current?.querySelector('button') ?? null)
  return (
    <div ref={box}>
      {isFollowing ? (
        <FollowingMenu user={user} size={size} compact={compact} />
      ) : (
        <FollowButton user={user} size={size} primary={primary} compact={compact} />
      )}
    </div>
  )
}

const postAlertLabels: Record<PostAlerts, MessageDescriptor> = {
  all: msg`All posts`,
  highlights: msg`Highlights: premium posts and products`,
  off: msg({ message: 'Off', context: 'notifications about new posts' }),
}

function FollowingMenu({ user, size, compact }: { user: UserDetails; size: 'sm' | 'md'; compact: boolean }) {
  const setPostAlerts = useSetPostAlerts(user)
  const follow = useToggleFollow(user)
  const name = displayName(user)
  // `postAlerts` is null until the profile has been refetched after a follow.
  const level = user.postAlerts ?? (user.subscription ? 'all' : 'off')
  const label = t({ message: 'Following', context: 'follow button' })
  const levelLabel = t(postAlertLabels[level])
  return (
    <Menu
      label={t`Following ${name}`}
      trigger={
        <Button
          variant="outline"
          size={size}
          paddingInline="4"
          {...(compact && compactButton)}
          aria-label={t`${label}: ${name}. Unfollow`}
          aria-description={t`New posts: ${levelLabel}`}
        >
          <Box as="span" fontSize="lg">
            {level === 'off' ? <CheckIcon /> : <BellIcon filled />}
          </Box>
          <ButtonLabel compact={compact}>
            {label}
            <ChevronDownIcon />
          </ButtonLabel>
        </Button>
      }
    >
      <MenuChoice
        label={t`Notify me about new posts`}
        value={level}
        onChange={(value) => setPostAlerts.mutate(PostAlerts.parse(value))}
        options={PostAlerts.options.map((value) => ({ value, label: t(postAlertLabels[value]) }))}
      />
      <MenuSeparator />
      <MenuItem value="unfollow" danger onSelect={() => follow.mutate()}>
        {t`Unfollow`}
      </MenuItem>
    </Menu>
  )
}
