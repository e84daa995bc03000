import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { displayName } from '@/lib/person'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { directoryQuery } from '../api/people'
import { FollowButton } from './FollowButton'

const shown = 3

/** Three people for the column beside the feed; nothing where there is nobody. */
export default function PeopleToFollow() {
  const people = useQuery(directoryQuery(shown))
  if (people.isError || people.data?.length === 0) return null
  return (
    <Card padding="4">
      <Box as="h2" textStyle="title" marginBottom="2">
        People to follow
      </Box>
      {people.isPending ? (
        <Loading label="Loading people">
          {['first', 'second', 'third'].map((one) => (
            <Box key={one} display="flex" gap="3" alignItems="center" paddingBlock="2.5">
              <SkeletonCircle />
              <Skeleton height="4" flex="1" />
            </Box>
          ))}
        </Loading>
      ) : (
        <Box as="ul" listStyleType="none">
          {people.data.slice(0, shown).map((person) => (
            <Box as="li" key={person.id} display="flex" alignItems="center" gap="3" paddingBlock="2">
              <Box asChild display="flex" alignItems="center" gap="3" flex="1" minWidth="0" borderRadius="sm">
                <Link to={paths.profile.getHref(person.handle)}>
                  <Avatar person={{ ...person, displayName: displayName(person) }} />
                  <Box minWidth="0">
                    <Box textStyle="label" truncate>
                      {displayName(person)}
                    </Box>
                    <Box textStyle="small" color="muted" truncate>
                      @{person.handle}
                    </Box>
                  </Box>
                </Link>
              </Box>
              <FollowButton user={person} size="sm" />
            </Box>
          ))}
        </Box>
      )}
    </Card>
  )
}
