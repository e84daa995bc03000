import { Box } from '@chakra-ui/react'
import type { AdminUser, AdminUserFilter } from '@contract/admin.ts'
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { errorMessage, type Page } from '@/lib/api'
import { uniqueItems } from '@/lib/query-cache'
import { Button } from '@/ui/Button'
import { SearchIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { settingsQuery } from '../../settings/api'
import { type OpenUserDialog, UserListRow } from './UserListRow'

type UserListQuery = UseInfiniteQueryResult<InfiniteData<Page<AdminUser>>>

/** Shows the users who match the search and the filter, with infinite scroll. */
export function UserList({
  list,
  search,
  filter,
  onOpenDialog,
  onClear,
}: {
  list: UserListQuery
  search: string
  filter: AdminUserFilter
  onOpenDialog: OpenUserDialog
  onClear: () => void
}) {
  const { data: settings } = useQuery(settingsQuery)
  const needsApproval = settings?.requireApproval ?? false
  if (list.isPending) return <UserListSkeleton />
  if (!list.data) {
    return (
      <ErrorState
        message={errorMessage(list.error, 'The people did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const users = uniqueItems(list.data.pages)
  return (
    <Box
      aria-busy={list.isPlaceholderData}
      opacity={list.isPlaceholderData ? 0.55 : 1}
      transition="opacity {durations.fast}"
    >
      {filter === 'unapproved' && settings && !needsApproval && (
        <Box
          paddingInline={{ base: '4', md: '5' }}
          paddingBottom="4"
          marginTop="-1"
          textStyle="small"
          color="muted"
        >
          Approval is not required here: these accounts work. Approving one records who vouched for it.
        </Box>
      )}
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      {users.length === 0 && !list.hasNextPage ? (
        <EmptyUserList search={search} filter={filter} onClear={onClear} />
      ) : (
        <Box as="ul" listStyleType="none">
          {users.map((user) => (
            <UserListRow
              key={user.id}
              user={user}
              needsApproval={needsApproval}
              onOpenDialog={onOpenDialog}
            />
          ))}
        </Box>
      )}
      <LoadMore
        hasMore={list.hasNextPage && !list.isPlaceholderData}
        failed={list.isFetchNextPageError}
        loading={list.isFetchingNextPage}
        onLoadMore={list.fetchNextPage}
        label="Load more"
        failedLabel="More people did not load. Try again"
      />
    </Box>
  )
}

const emptyTexts: Record<AdminUserFilter, string> = {
  all: 'Nobody is here yet.',
  creators: 'Nobody is a creator yet.',
  admins: 'Nobody is an admin yet.',
  suspended: 'Nobody is suspended.',
  unapproved: 'Everybody was approved.',
  auto_posting: 'Auto-posting is on for nobody.',
}

function EmptyUserList({
  search,
  filter,
  onClear,
}: {
  search: string
  filter: AdminUserFilter
  onClear: () => void
}) {
  return (
    <EmptyState
      as="h3"
      illustration={<SearchIllustration />}
      title="No users found"
      text={
        search ? (
          <>
            Nobody{filter === 'all' ? '' : ' of this list'} has “<bdi>{search}</bdi>” in their name, username
            or email.
          </>
        ) : (
          emptyTexts[filter]
        )
      }
      action={
        (search || filter !== 'all') && (
          <Button variant="outline" onClick={onClear}>
            Show everybody
          </Button>
        )
      }
    />
  )
}

function UserListSkeleton() {
  return (
    <Loading label="Loading people">
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Box
          key={row}
          display="flex"
          gap="4"
          paddingInline={{ base: '4', md: '5' }}
          paddingBlock="5"
          borderTopWidth="1px"
        >
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="4" width="35%" />
            <Skeleton height="3" width="20%" marginTop="2" />
            <Box
              display="grid"
              gridTemplateColumns={{ base: '1fr', md: 'repeat(4, 1fr)' }}
              gap="3"
              marginTop="4"
            >
              {['email', 'phone', 'joined', 'posts'].map((fact) => (
                <Skeleton key={fact} height="3" width="75%" />
              ))}
            </Box>
            <Box display="flex" gap="2" marginTop="4">
              {['edit', 'creator', 'suspend'].map((button) => (
                <Skeleton key={button} height="9" width="7rem" borderRadius="full" />
              ))}
            </Box>
          </Box>
        </Box>
      ))}
    </Loading>
  )
}
