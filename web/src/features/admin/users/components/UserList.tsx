import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser, AdminUserFilter } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Page } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { uniqueItems } from '@/lib/query-cache'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { readOnlyReasonText } from '@/moderation/read-only'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { SparkIcon } from '@/ui/icons'
import { LoadMore } from '@/ui/LoadMore'
import { useRestoreFocus } from '@/ui/restore-focus'
import { ErrorState, InlineError } from '@/ui/states'
import { settingsQuery } from '../../settings/api'
import { useAdminAction } from '../api'
import { shortDate, tableColumns } from '../model'
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
  count,
  onOpenDialog,
  onClear,
}: {
  list: UserListQuery
  search: string
  filter: AdminUserFilter
  /** The number of users, which the header of the table shows on wide screens. */
  count: ReactNode
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
        <Box paddingInline={{ base: '4', md: '5' }} paddingBottom="4" textStyle="small" color="muted">
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
        <>
          <TableHeader count={count} />
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
        </>
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

/** The names of the columns on wide screens. Decorative: on all screens, the values have names for screen readers. */
function TableHeader({ count }: { count: ReactNode }) {
  return (
    <Box
      display={{ base: 'none', lg: 'grid' }}
      gridTemplateColumns={tableColumns}
      alignItems="center"
      columnGap="3"
      minHeight="8"
      paddingInlineStart="5"
      paddingInlineEnd="3"
      borderTopWidth="1px"
      bg="sunken"
      textStyle="caption"
      fontWeight="medium"
      color="muted"
    >
      <Box aria-hidden gridColumn="1 / 3">
        {t({ message: 'Name', context: 'user' })}
      </Box>
      <span aria-hidden>{t`Status`}</span>
      <span aria-hidden>{t({ message: 'Contact', context: 'user' })}</span>
      <span aria-hidden>{t`Joined`}</span>
      <Box textAlign="end" paddingInlineEnd="2" fontVariantNumeric="tabular-nums">
        {count}
      </Box>
    </Box>
  )
}

/** `contentVisibility` skips the rendering of rows outside the viewport, which keeps long lists fast. */
const Row = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '2.25rem minmax(0, 1fr) auto', lg: tableColumns },
    alignItems: { lg: 'center' },
    columnGap: '3',
    paddingInlineStart: { base: '4', md: '5' },
    paddingInlineEnd: { base: '2', md: '3' },
    paddingBlock: { base: '2.5', lg: '1' },
    minHeight: { lg: '3.375rem' },
    borderTopWidth: '1px',
    contentVisibility: 'auto',
    containIntrinsicSize: { base: 'auto 7rem', lg: 'auto 3.375rem' },
    _hover: { bg: { lg: 'hover' } },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** The name and the status, which are in one column on phones and in two on wide screens. */
const Identity = chakra('div', {
  base: {
    gridColumn: { lg: '2 / 4' },
    display: { base: 'flex', lg: 'grid' },
    flexWrap: 'wrap',
    gridTemplateColumns: { lg: 'subgrid' },
    alignItems: 'center',
    columnGap: { base: '2', lg: '3' },
    rowGap: { base: '0.5', lg: '0' },
    minWidth: '0',
  },
})

/** The columns of what is below the name on phones, and below the row on wide screens. */
const detailColumns = '2 / -1'

const NameLink = chakra(Link, {
  base: { overflowWrap: 'anywhere', _hover: { textDecoration: 'underline' } },
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
  const [isPanelOpen, setPanelOpen] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  // The action has disabled the pressed button, and may have removed it.
  useRestoreFocus(adminAction.pendingAction, (before) => (before === undefined ? null : row.current))
  const openDialog = (kind: UserDialogKind, trigger: HTMLElement) => onOpenDialog(user, kind, trigger)
  const isAwaitingApproval = needsApproval && !user.approvedAt && !user.isAdmin
  const hasPanel = !user.isAdmin && (user.isCreator || user.autoPostingEnabled)
  const readOnlyReason = hasReadableReason(user) && <bdi>{readOnlyReasonText(user)}</bdi>
  return (
    <Row ref={row} tabIndex={-1}>
      <Box alignSelf={{ base: 'start', lg: 'center' }}>
        <Avatar user={{ ...user, displayName: name }} size="sm" />
      </Box>
      <Identity>
        <Box as="h3" textStyle="label" minWidth="0" flexBasis="100%" lineClamp={{ lg: 1 }}>
          <NameLink to={paths.profile.getHref(user.handle)}>
            <bdi>{name}</bdi>
          </NameLink>
        </Box>
        <Box textStyle="small" color="muted" minWidth="0" truncate gridRow={{ lg: '2' }}>
          <bdi dir="ltr">@{user.username}</bdi>
        </Box>
        <Box
          gridColumn={{ lg: '2' }}
          gridRow={{ lg: '1 / 3' }}
          display="flex"
          flexWrap="wrap"
          gap="1"
          minWidth="0"
        >
          <UserBadges user={user} isAwaitingApproval={isAwaitingApproval} />
        </Box>
      </Identity>
      <Box
        gridColumn={{ base: '3', lg: '6' }}
        gridRow="1"
        alignSelf={{ base: 'start', lg: 'center' }}
        marginBlock={{ base: '-1', lg: '0' }}
      >
        <UserActions
          user={user}
          isAwaitingApproval={isAwaitingApproval}
          panel={hasPanel ? { isOpen: isPanelOpen, toggle: () => setPanelOpen(!isPanelOpen) } : undefined}
          adminAction={adminAction}
          onOpenDialog={openDialog}
        />
      </Box>
      <UserFacts user={user} />
      {readOnlyReason && (
        <Box
          gridColumn={detailColumns}
          textStyle="small"
          color="danger.text"
          overflowWrap="anywhere"
          marginBottom={{ lg: '1' }}
        >
          <Trans>Read-only: {readOnlyReason}</Trans>
        </Box>
      )}
      {hasPanel && isPanelOpen && (
        <Box gridColumn={{ base: '1 / -1', lg: detailColumns }} marginInlineEnd="2" minWidth="0">
          <AutoPostingPanel user={user} adminAction={adminAction} onOpenDialog={openDialog} />
        </Box>
      )}
    </Row>
  )
})

/** The server's reason that the badge already shows. */
const approvalReason = 'This account is waiting for approval.'

/** Returns whether the reason says more than the badges. The server's reasons are sentences; codes say nothing to admins. */
const hasReadableReason = ({ readOnlyReason, suspension }: AdminUser): boolean =>
  Boolean(readOnlyReason && readOnlyReason !== approvalReason && (suspension || /\s/.test(readOnlyReason)))

/** Shows the roles of an account and its restrictions, or that it is active. */
function UserBadges({ user, isAwaitingApproval }: { user: AdminUser; isAwaitingApproval: boolean }) {
  const suspensionEnd = user.suspendedUntil && (
    <time dateTime={user.suspendedUntil} title={fullTime(user.suspendedUntil)}>
      {shortDate(user.suspendedUntil)}
    </time>
  )
  const isReadOnly = user.readOnlyReason && !user.suspended && !isAwaitingApproval
  const { isAdmin, isCreator, autoPostingEnabled, suspended } = user
  return (
    <>
      {isAdmin && <Badge tone="gold">{t`Admin`}</Badge>}
      {isCreator && <Badge tone="ember">{t`Creator`}</Badge>}
      {autoPostingEnabled && (
        <Badge>
          <SparkIcon />
          {t`Auto-Post`}
        </Badge>
      )}
      {suspended && (
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
      {isReadOnly && <Badge tone="danger">{t`Read-only`}</Badge>}
      {!(isAdmin || isCreator || autoPostingEnabled || suspended || isAwaitingApproval || isReadOnly) && (
        <Box as="span" textStyle="small" color="muted">
          {t({ message: 'Active', context: 'user' })}
        </Box>
      )}
    </>
  )
}
