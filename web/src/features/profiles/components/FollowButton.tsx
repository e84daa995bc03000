import type { User } from '@contract/user.ts'
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
  return (
    <Button
      variant={status === 'none' ? 'ember' : 'outline'}
      size={size}
      aria-label={status === 'requested' ? 'Requested. Take the request back' : undefined}
      onClick={() => follow.mutate()}
    >
      {labels[status]}
    </Button>
  )
}
