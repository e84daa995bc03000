import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import type { AdminUser, AdminUserFilter, AdminUserSort } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { Page } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { uniqueItems } from '@/lib/query-cache'
import { ChevronDownIcon } from '@/ui/icons'
import { LoadMore } from '@/ui/LoadMore'
import { VisuallyHidden } from '@/ui/layout'
import { CheckboxField, RowCheckbox } from '@/ui/RadioGroup'
import { ErrorState, RefreshError } from '@/ui/states'
import { settingsQuery } from '../../settings/api'
import { tableColumns } from '../model'
import { type OpenUserDialog, type SelectUsers, UserListRow } from './UserListRow'
import { EmptyUserList, UserListSkeleton } from './UserListStates'

type UserListQuery = UseInfiniteQueryResult<InfiniteData<Page<AdminUser>>>

/** Shows the users who match the search and the filter, with infinite scroll. */
export function UserList({
  list,
  search,
  filter,
  sort,
  onSort,
  selected,
  onSelect,
  onOpenDialog,
  onClear,
}: {
  list: UserListQuery
  search: string
  filter: AdminUserFilter
  sort: AdminUserSort
  onSort: (sort: AdminUserSort) => void
  /** The ids of the selected users. */
  selected: readonly string[]
  onSelect: SelectUsers
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
  // Admins are exempt from all bulk actions.
  const selectable = users.filter(({ isAdmin }) => !isAdmin).map(({ id }) => id)
  const selectedCount = selectable.filter((id) => selected.includes(id)).length
  const selectAll = {
    label: t`Select all on this page`,
    checked: selectedCount > 0 && selectedCount === selectable.length,
    mixed: selectedCount > 0,
    onChange: (isSelected: boolean) => onSelect(selectable, isSelected),
  }
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
      <RefreshError query={list} />
      {selectable.length > 0 && (
        <Box hideFrom="lg" paddingInline={{ base: '4', md: '5' }}>
          <CheckboxField {...selectAll} />
        </Box>
      )}
      {users.length === 0 && !list.hasNextPage ? (
        <EmptyUserList search={search} filter={filter} onClear={onClear} />
      ) : (
        <Box role="table" aria-label={t`Users`}>
          <TableHeader sort={sort} needsApproval={needsApproval} onSort={onSort} selectAll={selectAll} />
          <Box role="rowgroup">
            {users.map((user) => (
              <UserListRow
                key={user.id}
                user={user}
                needsApproval={needsApproval}
                isSelected={selected.includes(user.id)}
                onSelect={onSelect}
                onOpenDialog={onOpenDialog}
              />
            ))}
          </Box>
        </Box>
      )}
      {!list.isPlaceholderData && (
        <LoadMore list={list} label={t`Load more`} failedLabel={t`Couldn't load more users. Try again`} />
      )}
    </Box>
  )
}

/** Shows the column headers on wide screens. Clicking 'Name' or 'Joined' sorts the list. */
function TableHeader({
  sort,
  needsApproval,
  onSort,
  selectAll,
}: {
  sort: AdminUserSort
  needsApproval: boolean
  onSort: (sort: AdminUserSort) => void
  selectAll: ComponentProps<typeof RowCheckbox>
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
        <Box role="columnheader" marginInlineStart="-3" marginBlock="-1">
          <RowCheckbox {...selectAll} />
        </Box>
        <SortableHeader
          name={t({ message: 'Name', context: 'user' })}
          orders={{ ascending: 'name', descending: 'name_desc' }}
          sort={sort}
          onSort={onSort}
        />
        <Box role="columnheader">{t`Role`}</Box>
        <Box role="columnheader">{t`Status`}</Box>
        <Box role="columnheader" textAlign="end">
          {t`Posts`}
        </Box>
        <Box role="columnheader" textAlign="end">
          {t`Reports`}
        </Box>
        <SortableHeader
          name={t`Joined`}
          orders={{ descending: 'newest', ascending: 'oldest' }}
          sort={sort}
          onSort={onSort}
          paddingInlineStart="4"
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
 * @param orders the sort order for each direction; a click selects the first one if the list is sorted by another
 *   column
 */
function SortableHeader({
  name,
  orders,
  sort,
  onSort,
  ...cell
}: {
  name: string
  orders: Record<SortDirection, AdminUserSort>
  sort: AdminUserSort
  onSort: (sort: AdminUserSort) => void
} & BoxProps) {
  const directions = Object.keys(orders) as SortDirection[]
  const current = directions.find((direction) => orders[direction] === sort)
  const next = directions.find((direction) => direction !== current) ?? 'ascending'
  return (
    <Box role="columnheader" aria-sort={current ?? 'none'} {...cell}>
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
