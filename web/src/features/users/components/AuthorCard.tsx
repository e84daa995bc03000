import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Card } from '@/ui/layout'
import { Skeleton } from '@/ui/Skeleton'
import { UserRow, UserRowLink } from '@/ui/UserRow'
import { userQuery } from '../api'
import FollowButton from './FollowButton'

/** Shows the author of a post with their bio, and a button to follow them. */
export function AuthorCard({ author }: { author: UserCard }) {
  const { user: viewer } = useCurrentUser()
  const { data: user, isPending } = useQuery(userQuery(author.handle))
  return (
    <Card as="section" aria-label={displayName(author)} padding="4" display="grid" gap="3">
      <UserRowLink to={paths.profile.getHref(author.handle)}>
        <UserRow user={author} />
      </UserRowLink>
      {user?.bio && (
        <Box textStyle="small" lineClamp="4" whiteSpace="pre-line" overflowWrap="anywhere">
          <bdi>{user.bio}</bdi>
        </Box>
      )}
      {isPending && viewer?.id !== author.id && <Skeleton height="9" borderRadius="full" />}
      {user && <FollowButton user={user} wording="list" size="sm" width="100%" />}
    </Card>
  )
}
