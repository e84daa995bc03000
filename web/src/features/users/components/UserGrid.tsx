import { Box, chakra } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode } from 'react'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import type { UserListQuery } from '../lists'
import { UserCardFrame, UserGridCard } from './UserGridCard'

/** What the cards' buttons say: among all people, or in another list. */
type Wording = 'friend' | 'list'

const Grid = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: 'repeat(auto-fill, minmax(9.5rem, 1fr))',
      md: 'repeat(auto-fill, minmax(14rem, 1fr))',
    },
    gap: { base: '3', md: '4' },
    paddingInline: { base: '3', md: '0' },
    listStyleType: 'none',
  },
})

/**
 * Draws its card only near the window, so that thousands of people scroll like ten. Its height is known beforehand: the
 * page is as long before its cards are drawn as after, and a place in it is found again.
 */
const Place = chakra('li', {
  base: {
    minWidth: '0',
    height: '18.5rem',
    // The button is higher for fingers.
    '@media (pointer: coarse)': { height: '19rem' },
    contentVisibility: 'auto',
  },
})

/** Kept as it is while its person is: a press or another page of the list touches no other card. */
const Slot = memo(function Slot({ person, wording }: { person: User; wording: Wording }) {
  return (
    <Place>
      <UserGridCard person={person} wording={wording} />
    </Place>
  )
})

/** People as cards, going on while one scrolls. `wording` is what the cards' buttons say. */
export function UserGrid({
  query,
  wording,
  empty,
}: {
  query: UserListQuery
  wording: Wording
  empty: ReactNode
}) {
  const list = useInfiniteQuery(query)
  if (list.isPending) return <UserGridSkeleton />
  if (list.isError && !list.data) {
    return (
      <Card>
        <ErrorState message="The people did not load." onRetry={() => void list.refetch()} />
      </Card>
    )
  }
  const people = unique(list.data.pages.flatMap((page) => page.items))
  if (people.length === 0 && !list.hasNextPage) return <Card>{empty}</Card>
  return (
    <>
      <Grid aria-busy={list.isFetchingNextPage}>
        {people.map((person) => (
          <Slot key={person.id} person={person} wording={wording} />
        ))}
      </Grid>
      <LoadMore
        more={list.hasNextPage}
        failed={list.isFetchNextPageError}
        loading={list.isFetchingNextPage}
        onMore={list.fetchNextPage}
        label="Show more people"
        failedLabel="More people did not load. Try again"
      />
    </>
  )
}

/** A page that shifted while it was read may repeat somebody. */
function unique(people: User[]): User[] {
  return [...new Map(people.map((person) => [person.id, person])).values()]
}

const six = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

export function UserGridSkeleton() {
  return (
    <Loading label="Loading people">
      <Grid aria-hidden>
        {six.map((one) => (
          <Place key={one}>
            <UserCardFrame>
              <Skeleton height="4.5rem" borderRadius="0" flexShrink="0" />
              <Box padding="3" paddingTop="0">
                <Box
                  borderRadius="full"
                  borderWidth="4px"
                  borderColor="surface"
                  bg="surface"
                  width="fit-content"
                  marginTop="-2.25rem"
                >
                  <SkeletonCircle size="16" />
                </Box>
                <Skeleton height="4" width="70%" marginTop="2.5" />
                <Skeleton height="3" width="45%" marginTop="2" />
                <SkeletonText lines={2} marginTop="7" />
                <Skeleton height="9" marginTop="4" borderRadius="full" />
              </Box>
            </UserCardFrame>
          </Place>
        ))}
      </Grid>
    </Loading>
  )
}
