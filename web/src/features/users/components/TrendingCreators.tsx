import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '@/lib/paths'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { UserRow, UserRowLink } from '@/ui/UserRow'
import { userTextLine } from '@/ui/UserText'
import { featuredQuery } from '../api'
import FollowButton from './FollowButton'

/** Shows up to three featured creators in the right sidebar, or nothing if there are none. */
export default function TrendingCreators() {
  return <CreatorList title={t`Trending Creators`} query={featuredQuery(limits.trendingCreators)} />
}

/** Shows up to three featured creators other than `except`. */
export function MoreCreators({ except }: { except: string }) {
  // Requests one more creator than it shows, in case `except` is among them.
  return (
    <CreatorList
      title={t`More creators`}
      query={featuredQuery(limits.trendingCreators + 1)}
      except={except}
    />
  )
}

/** Omits creators whom the viewer already follows, unless the viewer follows all of them. */
function CreatorList({
  title,
  query,
  except,
}: {
  title: string
  query: ReturnType<typeof featuredQuery>
  except?: string
}) {
  const creators = useQuery(query)
  // The followed creators in the first response. A creator whom the viewer follows later stays in the list until the
  // viewer leaves the page.
  const [followedIds, setFollowedIds] = useState<ReadonlySet<string>>()
  if (creators.data && !followedIds) {
    setFollowedIds(new Set(creators.data.filter(({ following }) => following).map(({ id }) => id)))
  }
  const others = creators.data?.filter(({ id }) => id !== except)
  const unfollowed = others?.filter(({ id }) => !followedIds?.has(id))
  const shown = (unfollowed?.length ? unfollowed : others)?.slice(0, limits.trendingCreators)
  if ((creators.isError && !shown) || shown?.length === 0) return null
  return (
    <Card as="section" aria-labelledby="trending-creators" padding="4">
      <Box as="h2" id="trending-creators" textStyle="title" marginBottom="2">
        {title}
      </Box>
      {shown ? (
        <Box as="ul" listStyleType="none">
          {shown.map((creator) => (
            <Box as="li" key={creator.id} display="flex" alignItems="center" gap="3" paddingBlock="2">
              <UserRowLink to={paths.profile.getHref(creator.handle)}>
                <UserRow user={creator}>
                  {creator.bio && (
                    <Box textStyle="caption" color="muted" truncate {...userTextLine}>
                      {creator.bio}
                    </Box>
                  )}
                </UserRow>
              </UserRowLink>
              <FollowButton user={creator} wording="list" size="sm" paddingInline="3" />
            </Box>
          ))}
        </Box>
      ) : (
        <Loading label={t`Loading people`}>
          {['first', 'second', 'third'].map((key) => (
            <Box key={key} display="flex" gap="3" alignItems="center" paddingBlock="2">
              <SkeletonCircle />
              <Skeleton height="4" flex="1" />
            </Box>
          ))}
        </Loading>
      )}
    </Card>
  )
}
