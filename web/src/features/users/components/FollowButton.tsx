import { Box, chakra } from '@chakra-ui/react'
import type { FollowCard, FollowStatus } from '@contract/user.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { displayName } from '@/lib/text'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button, type ButtonProps } from '@/ui/Button'
import { CheckIcon, ClockIcon, PlusIcon } from '@/ui/icons'
import { useToggleFollow } from '../api'

const following = msg({ message: 'Following', context: 'follow button' })
const requested = msg({ message: 'Requested', context: 'follow button' })

/** The button's labels by follow status, for profiles, the list of all users, new followers, and other lists. */
const labels = {
  profile: { none: msg`Follow Me`, following: msg`Unfollow`, requested },
  friend: { none: msg`+ Add Friend`, following, requested },
  back: { none: msg`Follow back`, following, requested },
  list: { none: msg`Follow`, following, requested },
} as const satisfies Record<string, Record<FollowStatus, MessageDescriptor>>

/**
 * Shows the button to follow or unfollow a user. For visitors, it opens the login page. Shows nothing if the user is
 * the viewer.
 */
export default function FollowButton({
  user,
  wording = 'profile',
  size = 'md',
  primary = false,
  compact = false,
  ...props
}: {
  user: FollowCard
  wording?: keyof typeof labels
  size?: 'sm' | 'md'
  /** Fills the button while the viewer does not follow the user, for places where following is the main action. */
  primary?: boolean
  /** Shows an icon instead of the label on phones. */
  compact?: boolean
} & Pick<ButtonProps, 'width' | 'paddingInline'>) {
  const { isAuthenticated, user: viewer } = useCurrentUser()
  const follow = useToggleFollow(user)
  if (!isAuthenticated) {
    return (
      <Button variant="outline" color="ember.text" size={size} {...props} onClick={openLoginPage}>
        {t`+ Follow Me`}
      </Button>
    )
  }
  if (viewer?.id === user.id) return null
  const status = user.followStatus
  const label = t(labels[wording][status])
  return (
    <Button
      {...(status !== 'none'
        ? { variant: 'outline' }
        : primary
          ? { variant: 'ember' }
          : { variant: 'outline', color: 'ember.text' })}
      size={size}
      aria-label={accessibleName(user, wording)}
      {...(compact && compactButton)}
      {...props}
      onClick={() => follow.mutate()}
    >
      {compact && (
        <Box as="span" hideFrom="md" fontSize="lg">
          {status === 'none' ? <PlusIcon /> : status === 'requested' ? <ClockIcon /> : <CheckIcon />}
        </Box>
      )}
      <ButtonLabel compact={compact}>{label}</ButtonLabel>
    </Button>
  )
}

/** The props of a button that shows only an icon on phones. */
export const compactButton = {
  width: { base: 'target', md: 'auto' },
  paddingInline: { base: '0', md: '4' },
} as const

export const ButtonLabel = chakra('span', {
  base: { display: 'inline-flex', alignItems: 'center', gap: '2' },
  variants: { compact: { true: { hideBelow: 'md' } } },
})

/** Returns the button's accessible name: its label, the user's name and, if the label is a status, the action. */
function accessibleName(user: FollowCard, wording: keyof typeof labels): string {
  const name = displayName(user)
  const descriptor = labels[wording][user.followStatus]
  const label = t(descriptor)
  if (descriptor === requested) return t`${label}: ${name}. Cancel request`
  return descriptor === following ? t`${label}: ${name}. Unfollow` : t`${label}: ${name}`
}
