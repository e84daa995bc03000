import { Box, chakra } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Page } from '@/lib/api'
import { paths } from '@/lib/paths'
import { Badge } from '@/ui/Badge'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { UserRow } from '@/ui/UserRow'

const Person = chakra(Link, {
  base: {
    flex: '1 1 12rem',
    minWidth: '0',
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: 'target',
    borderRadius: 'sm',
  },
})

/** One person of a list, with what can be done about them. */
export function UserListItem({ person, children }: { person: UserCard; children: ReactNode }) {
  return (
    <Box
      as="li"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      marginInline={{ base: '4', md: '6' }}
      paddingBlock="3"
      borderTopWidth="1px"
      borderColor="hairline"
    >
      <Person to={paths.profile.getHref(person.handle)}>
        <UserRow person={person} />
      </Person>
      <Box display="flex" gap="2" marginInlineStart="auto">
        {children}
      </Box>
    </Box>
  )
}

/** People in a list by pages, under a heading whose id is `heading`. */
export function UserListSection<One extends UserCard>({
  heading,
  title,
  text,
  list,
  empty,
  counted = false,
  children,
}: {
  heading: string
  title: string
  text: ReactNode
  list: UseInfiniteQueryResult<InfiniteData<Page<One>, unknown>>
  /** Said when nobody is in it. */
  empty: ReactNode
  /** How many there are stands beside the heading: they wait for something. */
  counted?: boolean
  children: (person: One) => ReactNode
}) {
  const people = unique(list.data?.pages.flatMap((page) => page.items) ?? [])
  return (
    <Card as="section" aria-labelledby={heading} paddingTop={{ base: '4', md: '6' }} paddingBottom="2">
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="3">
        <Box display="flex" alignItems="center" gap="2.5">
          <Box as="h2" id={heading} tabIndex={-1} textStyle="title" borderRadius="xs">
            {title}
          </Box>
          {counted && people.length > 0 && (
            <Badge tone="neutral">
              {people.length}
              {list.hasNextPage ? '+' : ''}
            </Badge>
          )}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {text}
        </Box>
      </Box>
      {list.isPending && <Waiting />}
      {list.isError && !list.data && (
        <InlineError text="This list did not load." onRetry={() => void list.refetch()} />
      )}
      {list.data && people.length === 0 && !list.hasNextPage && <Empty>{empty}</Empty>}
      <Box as="ul" listStyleType="none">
        {people.map(children)}
      </Box>
      <LoadMore
        byHand
        more={list.hasNextPage}
        failed={list.isFetchNextPageError}
        loading={list.isFetchingNextPage}
        onMore={list.fetchNextPage}
        label="Show more"
        failedLabel="More did not load. Try again"
      />
    </Card>
  )
}

/** A page that shifted while it was read may repeat somebody. */
function unique<One extends UserCard>(people: One[]): One[] {
  return [...new Map(people.map((person) => [person.id, person])).values()]
}

function Empty({ children }: { children: ReactNode }) {
  return (
    <Box
      marginInline={{ base: '4', md: '6' }}
      paddingBlock="5"
      borderTopWidth="1px"
      borderColor="hairline"
      color="muted"
      textAlign="center"
    >
      {children}
    </Box>
  )
}

function Waiting() {
  return (
    <Loading label="Loading people">
      <Box
        display="flex"
        alignItems="center"
        gap="3"
        marginInline={{ base: '4', md: '6' }}
        paddingBlock="3"
        borderTopWidth="1px"
        borderColor="hairline"
      >
        <SkeletonCircle size="11" />
        <Box flex="1">
          <Skeleton height="3.5" width="35%" />
          <Skeleton height="3" width="25%" marginTop="2" />
        </Box>
      </Box>
    </Loading>
  )
}
