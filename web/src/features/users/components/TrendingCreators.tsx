import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { UserRow } from '@/ui/UserRow'
import { featuredQuery } from '../api'
import FollowButton from './FollowButton'

const PersonLink = chakra(Link, {
  base: { display: 'flex', alignItems: 'center', gap: '3', flex: '1', minWidth: '0', borderRadius: 'sm' },
})

/** Three creators for the column beside the feed; nothing where there is nobody. */
export default function TrendingCreators() {
  const people = useQuery(featuredQuery(limits.trendingCreators))
  if ((people.isError && !people.data) || people.data?.length === 0) return null
  return (
    <Card as="section" aria-labelledby="trending-creators" padding="4">
      <Box as="h2" id="trending-creators" textStyle="title" marginBottom="2">
        Trending Creators
      </Box>
      {people.data ? (
        <Box as="ul" listStyleType="none">
          {people.data.map((person) => (
            <Box as="li" key={person.id} display="flex" alignItems="center" gap="3" paddingBlock="2">
              <PersonLink to={paths.profile.getHref(person.handle)}>
                <UserRow person={person} />
              </PersonLink>
              <FollowButton user={person} wording="list" size="sm" />
            </Box>
          ))}
        </Box>
      ) : (
        <Loading label="Loading people">
          {['first', 'second', 'third'].map((one) => (
            <Box key={one} display="flex" gap="3" alignItems="center" paddingBlock="2">
              <SkeletonCircle />
              <Skeleton height="4" flex="1" />
            </Box>
          ))}
        </Loading>
      )}
    </Card>
  )
}
