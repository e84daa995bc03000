import { Box } from '@chakra-ui/react'
import type { AdminUserFilter } from '@contract/admin.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@/ui/Button'
import { SearchIllustration } from '@/ui/illustrations'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { tableColumns } from '../model'

const emptyTexts: Record<AdminUserFilter, MessageDescriptor> = {
  all: msg`Users will appear here when they sign up.`,
  creators: msg`There are no creators yet.`,
  admins: msg`There are no admins yet.`,
  suspended: msg`No users are suspended.`,
  unapproved: msg`All users are approved.`,
  auto_posting: msg`Auto-posting isn't on for any user.`,
}

/** Explains that no users match the search and the filter. */
export function EmptyUserList({
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

export function UserListSkeleton() {
  return (
    <Loading label={t`Loading users`}>
      <Box hideBelow="lg" height="9" borderTopWidth="1px" bg="sunken" />
      {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
        <Box
          key={row}
          display="grid"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: tableColumns(false) }}
          alignItems="center"
          columnGap="3"
          paddingInline={{ base: '4', md: '5' }}
          minHeight={{ base: '16', lg: '12' }}
          borderTopWidth="1px"
        >
          <Box hideBelow="lg" />
          <Box display="flex" alignItems="center" gap="3">
            <SkeletonCircle size="9" />
            <Box flex="1">
              <Skeleton height="3.5" width="60%" />
              <Skeleton height="3" width="40%" marginTop="2" />
            </Box>
          </Box>
          {['role', 'status', 'posts', 'reports', 'joined'].map((cell) => (
            <Skeleton key={cell} height="3" width="70%" hideBelow="lg" />
          ))}
        </Box>
      ))}
    </Loading>
  )
}
