import type { FollowStatus, User } from '@contract/user.ts'
import { displayName } from '@/lib/text'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button, type ButtonProps } from '@/ui/Button'
import { useToggleFollow } from '../follow'

/** What the button says for each relation: on a profile, among all people, and in other lists. */
const wordings = {
  profile: { none: 'Follow Me', following: 'Unfollow', requested: 'Requested' },
  friend: { none: '+ Add Friend', following: 'Following', requested: 'Requested' },
  list: { none: 'Follow', following: 'Following', requested: 'Requested' },
} as const satisfies Record<string, Record<FollowStatus, string>>

/** Follows or unfollows; a visitor is sent to sign in, and nothing stands beside oneself. */
export default function FollowButton({
  user,
  wording = 'profile',
  size = 'md',
  ...props
}: { user: User; wording?: keyof typeof wordings; size?: 'sm' | 'md' } & Pick<ButtonProps, 'width'>) {
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
  const label = wordings[wording][status]
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

/** Lists hold many of them: each says whom, and what pressing it does where its word is a state. */
function accessibleName(label: string, status: FollowStatus, name: string): string {
  if (status === 'requested') return `${label}: ${name}. Take the request back`
  return label === 'Following' ? `${label}: ${name}. Unfollow` : `${label}: ${name}`
}
