import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Card } from '@/ui/layout'
import { UserRow } from '@/ui/UserRow'
import { userQuery } from '../api'
import FollowButton from './FollowButton'
import { ProfileLink } from './TrendingCreators'

/** Shows the author of a post with their bio, and a button to follow them. */
export function AuthorCard({ author }: { author: UserCard }) {
  const { data: user } = useQuery(userQuery(author.handle))
  return (
    <Card as="section" aria-label={displayName(author)} padding="4" display="grid" gap="3">
      <ProfileLink to={paths.profile.getHref(author.handle)}>
        <UserRow user={author} />
      </ProfileLink>
      {user?.bio && (
        <Box textStyle="small" lineClamp="4" whiteSpace="pre-line" overflowWrap="anywhere">
          <bdi>{user.bio}</bdi>
        </Box>
      )}
      {user && <FollowButton user={user} wording="list" size="sm" width="100%" />}
    </Card>
  )
}
