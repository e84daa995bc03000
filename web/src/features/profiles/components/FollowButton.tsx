import type { User } from '@contract/user.ts'
import { displayName } from '@/lib/person'
import { useCurrentUser } from '@/lib/session'
import { serverPaths } from '@/paths'
import { Button } from '@/ui/Button'
import { useToggleFollow } from '../api/follow'

const labels = { none: 'Follow Me', following: 'Unfollow', requested: 'Requested' } as const

/** Follows or unfollows; a visitor is sent to sign in. */
export function FollowButton({ user, size = 'md' }: { user: User; size?: 'sm' | 'md' }) {
  const { isAuthenticated } = useCurrentUser()
  const follow = useToggleFollow(user)
  if (!isAuthenticated) {
    return (
      <Button variant="ember" size={size} onClick={() => window.location.assign(serverPaths.login)}>
        + Follow Me
      </Button>
    )
  }
  const status = user.followStatus
  // Lists hold many of them: each says whom.
  const name = displayName(user)
  return (
    <Button
      variant={status === 'none' ? 'ember' : 'outline'}
      size={size}
      aria-label={
        status === 'requested' ? `Requested: ${name}. Take the request back` : `${labels[status]}: ${name}`
      }
      onClick={() => follow.mutate()}
    >
      {labels[status]}
    </Button>
  )
}
