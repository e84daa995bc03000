import { Box } from '@chakra-ui/react'
import type { AdminUserFilter } from '@contract/admin.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@/ui/Button'
import { SearchIllustration } from '@/ui/illustrations'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'

const emptyTexts: Record<AdminUserFilter, MessageDescriptor> = {
  all: msg`Users will appear here when they sign up.`,
  creators: msg`There are no creators yet.`,
  admins: msg`There are no admins yet.`,
  suspended: msg`No users are suspended.`,
  unapproved: msg`All users are approved.`,
  auto_posting: msg`Auto-posting isn't on for any user.`,
}

/** Says that no user matches the search and the filter. */
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
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Box
          key={row}
          display="grid"
          gridTemplateColumns={{
            base: 'auto minmax(0, 1fr)',
            lg: 'auto minmax(0, 1fr) minmax(0, 1.7fr) 11rem',
          }}
          alignItems="center"
          columnGap={{ base: '3', lg: '4' }}
          paddingInline={{ base: '4', md: '5' }}
          paddingBlock={{ base: '3', lg: '2.5' }}
          borderTopWidth="1px"
        >
          <SkeletonCircle />
          <div>
            <Skeleton height="4" width="60%" />
            <Skeleton height="3" width="40%" marginTop="2" />
          </div>
          <Box gridColumn={{ base: '2', lg: 'auto' }} marginTop={{ base: '3', lg: '0' }}>
            <Skeleton height="3" width="75%" />
            <Skeleton height="3" width="55%" marginTop="2" />
          </Box>
          <Skeleton
            height="9"
            width="7rem"
            borderRadius="full"
            hideBelow="lg"
            justifySelf="end"
            marginInlineEnd="10"
          />
        </Box>
      ))}
    </Loading>
  )
}
