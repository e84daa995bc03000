import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser, AdminUserFilter } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { memo, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { Page } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { uniqueItems } from '@/lib/query-cache'
import { displayName } from '@/lib/text'
import { fullTime, longDate } from '@/lib/time'
import { readOnlyReasonText } from '@/moderation/read-only'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { SparkIcon } from '@/ui/icons'
import { LoadMore } from '@/ui/LoadMore'
import { useRestoreFocus } from '@/ui/restore-focus'
import { ErrorState, InlineError } from '@/ui/states'
import { settingsQuery } from '../../settings/api'
import { useAdminAction } from '../api'
import { AutoPostingPanel } from './AutoPostingPanel'
import { UserActions } from './UserActions'
import type { UserDialogKind } from './UserDialogs'
import { UserFacts } from './UserFacts'
import { EmptyUserList, UserListSkeleton } from './UserListStates'

/** @param trigger the button that opens the dialog */
export type OpenUserDialog = (user: AdminUser, kind: UserDialogKind, trigger: HTMLElement) => void

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

/**
 * A table row on wide screens: the avatar, the name, two columns of facts and the actions. `contentVisibility` skips the
 * rendering of rows outside the viewport, which keeps long lists fast.
 */
const Row = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: 'auto minmax(0, 1fr) auto',
      lg: 'auto minmax(0, 1fr) minmax(0, 1.7fr) 11rem',
    },
    alignItems: { lg: 'center' },
    columnGap: { base: '3', lg: '4' },
    paddingInlineStart: { base: '4', md: '5' },
    paddingInlineEnd: { base: '2', md: '3' },
    paddingBlock: { base: '3', lg: '2.5' },
    borderTopWidth: '1px',
    contentVisibility: 'auto',
    containIntrinsicSize: { base: 'auto 7rem', lg: 'auto 4rem' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** The columns of what is below the name. */
const detailColumns = '2 / -1'

const NameLink = chakra(Link, {
  base: { minWidth: '0', overflowWrap: 'anywhere', _hover: { textDecoration: 'underline' } },
})

/**
 * Shows an account with its status and actions. Memoized, as the list can be long.
 *
 * @param needsApproval whether new accounts are read-only until an admin approves them
 */
const UserListRow = memo(function UserListRow({
  user,
  needsApproval,
  onOpenDialog,
}: {
  user: AdminUser
  needsApproval: boolean
  onOpenDialog: OpenUserDialog
}) {
  const name = displayName(user)
  const adminAction = useAdminAction(user.id)
  const row = useRef<HTMLLIElement>(null)
  // The action has disabled the pressed button, and may have removed it.
  useRestoreFocus(adminAction.pendingAction, (before) => (before === undefined ? null : row.current))
  const openDialog = (kind: UserDialogKind, trigger: HTMLElement) => onOpenDialog(user, kind, trigger)
  const isAwaitingApproval = needsApproval && !user.approvedAt && !user.isAdmin
  const hasPanel = !user.isAdmin && (user.isCreator || user.autoPostingEnabled)
  const readOnlyReason = user.readOnlyReason && <bdi>{readOnlyReasonText(user)}</bdi>
  return (
    <Row ref={row} tabIndex={-1}>
      <Avatar user={{ ...user, displayName: name }} />
      <Box minWidth="0" alignSelf="center">
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
          <Box as="h3" textStyle="label" minWidth="0">
            <NameLink to={paths.profile.getHref(user.handle)}>
              <bdi>{name}</bdi>
            </NameLink>
          </Box>
          <UserBadges user={user} isAwaitingApproval={isAwaitingApproval} />
        </Box>
        <Box textStyle="small" color="muted" overflowWrap="anywhere">
          <bdi dir="ltr">@{user.username}</bdi>
        </Box>
      </Box>
      <Box gridColumn={{ base: detailColumns, lg: '3' }} gridRow={{ base: '2', lg: '1' }} minWidth="0">
        <UserFacts user={user} />
      </Box>
      <UserActions
        user={user}
        isAwaitingApproval={isAwaitingApproval}
        adminAction={adminAction}
        onOpenDialog={openDialog}
      />
      {readOnlyReason && (
        <Box
          gridColumn={detailColumns}
          marginTop="1.5"
          textStyle="small"
          color="danger.text"
          overflowWrap="anywhere"
        >
          <Trans>Read-only: {readOnlyReason}</Trans>
        </Box>
      )}
      {hasPanel && (
        <Box gridColumn={{ base: '1 / -1', md: detailColumns }} marginInlineEnd="2" minWidth="0">
          <AutoPostingPanel user={user} adminAction={adminAction} onOpenDialog={openDialog} />
        </Box>
      )}
    </Row>
  )
})

/** Shows the roles of an account and its restrictions. */
function UserBadges({ user, isAwaitingApproval }: { user: AdminUser; isAwaitingApproval: boolean }) {
  const suspensionEnd = user.suspendedUntil && (
    <time dateTime={user.suspendedUntil} title={fullTime(user.suspendedUntil)}>
      {longDate(user.suspendedUntil)}
    </time>
  )
  return (
    <>
      {user.isAdmin && <Badge tone="gold">{t`Admin`}</Badge>}
      {user.isCreator && <Badge tone="ember">{t`Creator`}</Badge>}
      {user.autoPostingEnabled && (
        <Badge>
          <SparkIcon />
          {t`Auto-Post`}
        </Badge>
      )}
      {user.suspended && (
        <Badge tone="danger">
          {suspensionEnd ? (
            <span>
              <Trans>Suspended until {suspensionEnd}</Trans>
            </span>
          ) : (
            t`Suspended until lifted`
          )}
        </Badge>
      )}
      {isAwaitingApproval && <Badge tone="gold">{t`Waiting for approval`}</Badge>}
      {user.readOnlyReason && !user.suspended && !isAwaitingApproval && (
        <Badge tone="danger">{t`Read-only`}</Badge>
      )}
    </>
  )
}
