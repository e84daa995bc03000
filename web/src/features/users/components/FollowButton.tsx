import type { FollowStatus, User } from '@contract/user.ts'
import { displayName } from '@/lib/text'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button, type ButtonProps } from '@/ui/Button'
import { useToggleFollow } from '../api'

/** The button's labels by follow status, for profiles, the list of all users, and other lists. */
const labels = {
  profile: { none: 'Follow Me', following: 'Unfollow', requested: 'Requested' },
  friend: { none: '+ Add Friend', following: 'Following', requested: 'Requested' },
  list: { none: 'Follow', following: 'Following', requested: 'Requested' },
} as const satisfies Record<string, Record<FollowStatus, string>>

/** Shows the button to follow or unfollow a user. Visitors are sent to sign in; the viewer's own profile has none. */
export default function FollowButton({
  user,
  wording = 'profile',
  size = 'md',
  ...props
}: { user: User; wording?: keyof typeof labels; size?: 'sm' | 'md' } & Pick<ButtonProps, 'width'>) {
  const { isAuthenticated, user: viewer } = useCurrentUser()
  const follow = useToggleFollow(user)
  if (!isAuthenticated) {
    return (
      <Button variant="ember" size={size} {...props} onClick={openLoginPage}>
        + Follow Me
      </Button>
    )
  }
  if (viewer?.id === user.id) return null
  const status = user.followStatus
  const label = labels[wording][status]
  return (
    <Button
      variant={status === 'none' ? 'ember' : 'outline'}
      size={size}
      aria-label={accessibleName(label, status, displayName(user))}
      {...props}
      onClick={() => follow.mutate()}
    >
      {label}
    </Button>
  )
}

/** Returns the button's accessible name: the user, and the action if the label is a status. */
function accessibleName(label: string, status: FollowStatus, name: string): string {
  if (status === 'requested') return `${label}: ${name}. Take the request back`
  return label === 'Following' ? `${label}: ${name}. Unfollow` : `${label}: ${name}`
}
