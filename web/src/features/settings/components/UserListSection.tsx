import { Box, chakra } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Page } from '@/lib/api'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { uniqueItems } from '@/lib/query-cache'
import { Badge } from '@/ui/Badge'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { nextRowOrHeading, useFocusAfterRemoval } from '@/ui/restore-focus'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { UserRow } from '@/ui/UserRow'

const ProfileLink = chakra(Link, {
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

/** Shows a user in a list with the given actions. */
export function UserListItem({ user, children }: { user: UserCard; children: ReactNode }) {
  const focusHandlers = useFocusAfterRemoval(nextRowOrHeading)
  return (
    <Box
      as="li"
      {...focusHandlers}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      marginInline={{ base: '4', md: '6' }}
      paddingBlock="3"
      borderTopWidth="1px"
      borderColor="hairline"
    >
      <ProfileLink to={paths.profile.getHref(user.handle)}>
        <UserRow user={user} />
      </ProfileLink>
      <Box display="flex" gap="2" marginInlineStart="auto">
        {children}
      </Box>
    </Box>
  )
}

/** Shows a paginated list of users under a heading. */
export function UserListSection<Item extends UserCard>({
  headingId,
  title,
  text,
  list,
  empty,
  showCount = false,
  children,
}: {
  headingId: string
  title: string
  text: ReactNode
  list: UseInfiniteQueryResult<InfiniteData<Page<Item>, unknown>>
  /** Shown if the list is empty. */
  empty: ReactNode
  /** Shows the number of users beside the heading, for lists that need the user's attention. */
  showCount?: boolean
  children: (user: Item) => ReactNode
}) {
  const users = uniqueItems(list.data?.pages ?? [])
  const count = formatCount(users.length)
  return (
    <Card as="section" aria-labelledby={headingId} paddingTop={{ base: '4', md: '6' }} paddingBottom="2">
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="3">
        <Box display="flex" alignItems="center" gap="2.5">
          <Box as="h2" id={headingId} tabIndex={-1} textStyle="title" borderRadius="xs">
            {title}
          </Box>
          {showCount && users.length > 0 && (
            <Badge tone="neutral">{list.hasNextPage ? `${count}+` : count}</Badge>
          )}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {text}
        </Box>
      </Box>
      {list.isPending && <UserListSkeleton />}
      {list.isError && !list.data && (
        <InlineError text={t`Couldn't load people. Try again.`} onRetry={() => void list.refetch()} />
      )}
      {list.data && users.length === 0 && !list.hasNextPage && <EmptyText>{empty}</EmptyText>}
      <Box as="ul" listStyleType="none">
        {users.map(children)}
      </Box>
      <LoadMore manual list={list} label={t`Show more`} failedLabel={t`Couldn't load more. Try again`} />
    </Card>
  )
}

function EmptyText({ children }: { children: ReactNode }) {
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

function UserListSkeleton() {
  return (
    <Loading label={t`Loading people`}>
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
