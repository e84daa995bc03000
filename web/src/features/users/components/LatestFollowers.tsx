import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { Card, TextLink } from '@/ui/layout'
import { UserRow, UserRowLink } from '@/ui/UserRow'
import { followsQuery } from '../api'
import FollowButton from './FollowButton'

const maxShown = 5

/** Shows the viewer's newest followers, or nothing if they have none. */
export function LatestFollowers({ user: { id, handle } }: { user: OwnUser }) {
  const { data } = useInfiniteQuery(followsQuery(id, 'followers'))
  const followers = data?.pages[0]?.items ?? []
  if (followers.length === 0) return null
  return (
    <Card as="section" aria-labelledby="latest-followers" padding="4">
      <Box display="flex" justifyContent="space-between" alignItems="baseline" marginBottom="2">
        <Box as="h2" id="latest-followers" textStyle="title">
          {t`Latest followers`}
        </Box>
        {followers.length > maxShown && (
          <TextLink to={paths.followers.getHref(handle)} textStyle="small">
            {t`View all`}
          </TextLink>
        )}
      </Box>
      <Box as="ul" listStyleType="none">
        {followers.slice(0, maxShown).map((follower) => (
          <Box as="li" key={follower.id} display="flex" alignItems="center" gap="3" paddingBlock="2">
            <UserRowLink to={paths.profile.getHref(follower.handle)}>
              <UserRow user={follower} />
            </UserRowLink>
            <FollowButton user={follower} wording="list" size="sm" paddingInline="3" />
          </Box>
        ))}
      </Box>
    </Card>
  )
}
