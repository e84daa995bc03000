import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { displayName } from '@/lib/person'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { directoryQuery } from '../api/people'
import { FollowButton } from './FollowButton'

/** How many are shown, and among how many they are chosen. */
const shown = 3
const asked = 20

/** Three people for the column beside the feed, those not followed yet first; nothing where there is nobody. */
export default function PeopleToFollow() {
  const people = useQuery(directoryQuery(asked))
  // Chosen once for an answer: whoever is followed here stays, to be unfollowed again.
  const [chosen, setChosen] = useState<string[] | null>(null)
  if (people.data && !chosen) setChosen(choose(people.data))
  if (people.isError || people.data?.length === 0) return null
  const listed = people.data?.filter((person) => chosen?.includes(person.id)) ?? []
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
          {listed.map((person) => (
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

function choose(people: User[]): string[] {
  const strangers = people.filter((person) => person.followStatus === 'none')
  const known = people.filter((person) => person.followStatus !== 'none')
  return [...strangers, ...known].slice(0, shown).map((person) => person.id)
}
