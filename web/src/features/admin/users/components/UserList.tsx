import { Box } from '@chakra-ui/react'
import type { AdminUser, AdminUserFilter } from '@contract/admin.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import type { Page } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { uniqueItems } from '@/lib/query-cache'
import { Button } from '@/ui/Button'
import { SearchIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { settingsQuery } from '../../settings/api'
import { type OpenUserDialog, UserListRow } from './UserListRow'

type UserListQuery = UseInfiniteQueryResult<InfiniteData<Page<AdminUser>>>

/**
 * Shows the users who match the search and the filter, with infinite scroll. `UserListRow` shows the facts about each
 * user; they are in the contract's `AdminUser`, which admin/user-presenter.ts builds.
 */
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
        message={errorMessage(list.error, t`Couldn't load users. Try again.`)}
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
          <Trans>
            Approval isn't required, so these accounts work normally. Approving one records who approved it.
          </Trans>
        </Box>
      )}
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError
          text={t`Couldn't refresh. Showing the last results.`}
          onRetry={() => void list.refetch()}
        />
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
        label={t`Load more`}
        failedLabel={t`Couldn't load more users. Try again`}
      />
    </Box>
  )
}

const emptyTexts: Record<AdminUserFilter, MessageDescriptor> = {
  all: msg`Users will appear here when they sign up.`,
  creators: msg`There are no creators yet.`,
  admins: msg`There are no admins yet.`,
  suspended: msg`No users are suspended.`,
  unapproved: msg`All users are approved.`,
  auto_posting: msg`Auto-posting isn't on for any user.`,
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
      title={t`No users found`}
      text={search ? <NoSearchResults search={search} filter={filter} /> : t(emptyTexts[filter])}
      action={
        (search || filter !== 'all') && (
          <Button variant="outline" onClick={onClear}>
            {t`Show all users`}
          </Button>
        )
      }
    />
  )
}

function NoSearchResults({ search, filter }: { search: string; filter: AdminUserFilter }) {
  const term = <bdi>{search}</bdi>
  return filter === 'all' ? (
    <Trans>No name, username or email contains “{term}”.</Trans>
  ) : (
    <Trans>No name, username or email in this list contains “{term}”.</Trans>
  )
}

function UserListSkeleton() {
  return (
    <Loading label={t`Loading users`}>
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
              gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
              gap="3"
              marginTop="4"
            >
              {['email', 'phone', 'joined'].map((fact) => (
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
