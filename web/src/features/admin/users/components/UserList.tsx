import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser, AdminUserFilter, AdminUserSort } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { memo, useId, useRef, useState } from 'react'
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
import { IconButton } from '@/ui/IconButton'
import { BanIcon, ChevronDownIcon, ClockIcon, LockIcon, ShieldIcon, SparkIcon, StarIcon } from '@/ui/icons'
import { LoadMore } from '@/ui/LoadMore'
import { VisuallyHidden } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { ErrorState, InlineError } from '@/ui/states'
import { settingsQuery } from '../../settings/api'
import { useAdminAction } from '../api'
import { shortDate, tableColumns } from '../model'
import { AutoPostingPanel } from './AutoPostingPanel'
import { UserActions } from './UserActions'
import { UserDetails } from './UserDetails'
import type { UserDialogKind } from './UserDialogs'
import { EmptyUserList, UserListSkeleton } from './UserListStates'

/** @param trigger the button that opens the dialog */
export type OpenUserDialog = (user: AdminUser, kind: UserDialogKind, trigger: HTMLElement) => void

type UserListQuery = UseInfiniteQueryResult<InfiniteData<Page<AdminUser>>>

/** Shows the users who match the search and the filter, with infinite scroll. */
export function UserList({
  list,
  search,
  filter,
  sort,
  onSort,
  onOpenDialog,
  onClear,
}: {
  list: UserListQuery
  search: string
  filter: AdminUserFilter
  sort: AdminUserSort
  onSort: (sort: AdminUserSort) => void
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
        <Box role="table" aria-label={t`Users`}>
          <TableHeader sort={sort} needsApproval={needsApproval} onSort={onSort} />
          <Box role="rowgroup">
            {users.map((user) => (
              <UserListRow
                key={user.id}
                user={user}
                needsApproval={needsApproval}
                onOpenDialog={onOpenDialog}
              />
            ))}
          </Box>
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

/** Shows the names of the columns on wide screens. Two of them sort the list. */
function TableHeader({
  sort,
  needsApproval,
  onSort,
}: {
  sort: AdminUserSort
  needsApproval: boolean
  onSort: (sort: AdminUserSort) => void
}) {
  return (
    <Box role="rowgroup" hideBelow="lg">
      <Box
        role="row"
        display="grid"
        gridTemplateColumns={tableColumns(needsApproval)}
        alignItems="center"
        columnGap="3"
        minHeight="9"
        paddingInlineStart="5"
        paddingInlineEnd="3"
        borderTopWidth="1px"
        bg="sunken"
        textStyle="caption"
        fontWeight="medium"
        color="muted"
      >
        <SortableHeader
          name={t({ message: 'Name', context: 'user' })}
          orders={{ ascending: 'name', descending: 'name_desc' }}
          sort={sort}
          onSort={onSort}
        />
        <Box role="columnheader">{t`Email`}</Box>
        <Box role="columnheader">{t`Role and status`}</Box>
        <SortableHeader
          name={t`Joined`}
          orders={{ descending: 'newest', ascending: 'oldest' }}
          sort={sort}
          onSort={onSort}
        />
        <Box role="columnheader">
          <VisuallyHidden>{t`Actions`}</VisuallyHidden>
        </Box>
      </Box>
    </Box>
  )
}

type SortDirection = 'ascending' | 'descending'

/**
 * Shows a column header that sorts the list by its column, or reverses the order.
 *
 * @param orders the order for each direction; the first one applies if the list is sorted by another column
 */
function SortableHeader({
  name,
  orders,
  sort,
  onSort,
}: {
  name: string
  orders: Record<SortDirection, AdminUserSort>
  sort: AdminUserSort
  onSort: (sort: AdminUserSort) => void
}) {
  const directions = Object.keys(orders) as SortDirection[]
  const current = directions.find((direction) => orders[direction] === sort)
  const next = directions.find((direction) => direction !== current) ?? 'ascending'
  return (
    <Box role="columnheader" aria-sort={current ?? 'none'}>
      <SortButton type="button" aria-pressed={current !== undefined} onClick={() => onSort(orders[next])}>
        {name}
        <Box
          as="span"
          aria-hidden
          fontSize="sm"
          opacity={current ? 1 : 0}
          transform={current === 'ascending' ? 'rotate(180deg)' : undefined}
          transition="opacity {durations.fast}, transform {durations.fast}"
          data-arrow=""
        >
          <ChevronDownIcon />
        </Box>
      </SortButton>
    </Box>
  )
}

const SortButton = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    paddingInline: '2',
    marginInline: '-2',
    borderRadius: 'sm',
    fontWeight: 'medium',
    cursor: 'pointer',
    '&[aria-pressed=true]': { color: 'text', fontWeight: 'semibold' },
    _hover: { color: 'text', '& [data-arrow]': { opacity: 1 } },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** `contentVisibility` skips the rendering of rows outside the viewport, which keeps long lists fast. */
const Row = chakra('div', {
  base: {
    display: 'grid',
    alignItems: 'center',
    columnGap: '3',
    paddingInlineStart: { base: '4', md: '5' },
    paddingInlineEnd: { base: '2', md: '3' },
    paddingBlock: { base: '2', lg: '0' },
    minHeight: { base: '16', lg: '12' },
    borderTopWidth: '1px',
    contentVisibility: 'auto',
    containIntrinsicSize: { base: 'auto 4rem', lg: 'auto 3rem' },
    _hover: { bg: { lg: 'hover' } },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** A cell below the others. */
const wideCell = { role: 'cell', gridColumn: '1 / -1', minWidth: '0' } as const

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
  const [isExpanded, setExpanded] = useState(false)
  const detailsId = useId()
  const row = useRef<HTMLDivElement>(null)
  // The pressed button was disabled during the action and may be gone, so the row takes the focus.
  useRestoreFocus(adminAction.pendingAction, (before) => (before === undefined ? null : row.current))
  const openDialog = (kind: UserDialogKind, trigger: HTMLElement) => onOpenDialog(user, kind, trigger)
  const isAwaitingApproval = needsApproval && !user.approvedAt && !user.isAdmin
  const hasPanel = !user.isAdmin && (user.isCreator || user.autoPostingEnabled)
  const readOnlyReason = hasReadableReason(user) && <bdi>{readOnlyReasonText(user)}</bdi>
  return (
    <Row
      ref={row}
      role="row"
      tabIndex={-1}
      gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', lg: tableColumns(needsApproval) }}
    >
      <Box role="cell" display="flex" alignItems="center" gap="3" minWidth="0">
        <Avatar user={{ ...user, displayName: name }} size="sm" />
        <Box minWidth="0">
          <Box as="h3" textStyle="label" lineHeight="1.25rem" lineClamp={1}>
            <NameLink to={paths.profile.getHref(user.handle)}>
              <bdi>{name}</bdi>
            </NameLink>
          </Box>
          <Box textStyle="small" lineHeight="1.125rem" color="muted" truncate>
            <bdi dir="ltr">@{user.username}</bdi>
          </Box>
        </Box>
      </Box>
      <Box role="cell" hideBelow="lg" textStyle="small" color="muted" truncate title={user.email}>
        {user.email}
      </Box>
      <UserBadges user={user} isAwaitingApproval={isAwaitingApproval} />
      <Box role="cell" hideBelow="lg" textStyle="small" color="muted" title={fullTime(user.createdAt)}>
        <time dateTime={user.createdAt}>{shortDate(user.createdAt)}</time>
      </Box>
      <Box
        role="cell"
        gridColumn={{ base: '2', lg: '5' }}
        gridRow="1"
        display="flex"
        alignItems="center"
        justifyContent="flex-end"
      >
        <UserActions
          user={user}
          isAwaitingApproval={isAwaitingApproval}
          panel={hasPanel ? { isOpen: isPanelOpen, toggle: () => setPanelOpen(!isPanelOpen) } : undefined}
          adminAction={adminAction}
          onOpenDialog={openDialog}
        />
        <IconButton
          label={isExpanded ? t`Hide details of ${name}` : t`Show details of ${name}`}
          tooltip={false}
          aria-expanded={isExpanded}
          aria-controls={detailsId}
          onClick={() => setExpanded(!isExpanded)}
        >
          <Box
            as="span"
            transform={isExpanded ? 'rotate(180deg)' : undefined}
            transition="transform {durations.fast}"
          >
            <ChevronDownIcon />
          </Box>
        </IconButton>
      </Box>
      {isExpanded && (
        <Box {...wideCell} id={detailsId}>
          <UserDetails user={user} />
        </Box>
      )}
      {readOnlyReason && (
        <Box
          {...wideCell}
          textStyle="small"
          color="danger.text"
          overflowWrap="anywhere"
          marginBottom={{ lg: '2' }}
        >
          <Trans>Read-only: {readOnlyReason}</Trans>
        </Box>
      )}
      {hasPanel && isPanelOpen && (
        <Box {...wideCell} marginInlineEnd="2">
          <AutoPostingPanel user={user} adminAction={adminAction} onOpenDialog={openDialog} />
        </Box>
      )}
    </Row>
  )
})

/** The server's text for the reason that the badge already shows. */
const approvalReason = 'This account is waiting for approval.'

/**
 * Returns whether the reason says more than the badges. A reason without spaces is a code, which means nothing to
 * admins.
 */
const hasReadableReason = ({ readOnlyReason, suspension }: AdminUser): boolean =>
  Boolean(readOnlyReason && readOnlyReason !== approvalReason && (suspension || /\s/.test(readOnlyReason)))

/** Shows an account's roles, and why it is restricted. Most accounts are just active, which phones do not show. */
function UserBadges({ user, isAwaitingApproval }: { user: AdminUser; isAwaitingApproval: boolean }) {
  const { isAdmin, isCreator, autoPostingEnabled, suspended, readOnlyReason } = user
  const isActive = !suspended && !isAwaitingApproval && !readOnlyReason
  const hasBadge = !isActive || isAdmin || isCreator || autoPostingEnabled
  return (
    <Box
      role="cell"
      gridColumn={{ base: '1 / -1', lg: 'auto' }}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="1"
      minWidth="0"
      marginTop={{ base: hasBadge ? '1.5' : '0', lg: '0' }}
    >
      {isAdmin && (
        <Badge tone="gold">
          <ShieldIcon />
          {t`Admin`}
        </Badge>
      )}
      {isCreator && (
        <Badge tone="ember">
          <StarIcon />
          {t`Creator`}
        </Badge>
      )}
      {autoPostingEnabled && (
        <Badge>
          <SparkIcon />
          {t`Auto-Post`}
        </Badge>
      )}
      {isActive ? (
        <Box as="span" srOnly={{ base: true, lg: false }} color="muted">
          {t({ message: 'Active', context: 'user' })}
        </Box>
      ) : (
        <RestrictionBadge user={user} isAwaitingApproval={isAwaitingApproval} />
      )}
    </Box>
  )
}

/** Shows why an account is restricted. */
function RestrictionBadge({ user, isAwaitingApproval }: { user: AdminUser; isAwaitingApproval: boolean }) {
  const { suspended, suspendedUntil } = user
  if (suspended) {
    const end = suspendedUntil && (
      <time dateTime={suspendedUntil} title={fullTime(suspendedUntil)}>
        {shortDate(suspendedUntil)}
      </time>
    )
    return (
      <>
        <Badge tone="danger">
          <BanIcon />
          {t({ message: 'Suspended', context: 'user' })}
        </Badge>
        <Box as="span" textStyle="caption" color="muted">
          {end ? <Trans>until {end}</Trans> : t`until lifted`}
        </Box>
      </>
    )
  }
  if (isAwaitingApproval) {
    return (
      <Badge tone="gold">
        <ClockIcon />
        {t`Waiting for approval`}
      </Badge>
    )
  }
  return (
    <Badge tone="danger">
      <LockIcon />
      {t`Read-only`}
    </Badge>
  )
}
