import { Box } from '@chakra-ui/react'
import { AdminUserFilter, AdminUserSort } from '@contract/admin.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { uniqueItems } from '@/lib/query-cache'
import { useUrlParams } from '@/lib/url-params'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { SearchInput } from '@/ui/Field'
import { FilterChips } from '@/ui/FilterChips'
import { ChevronDownIcon } from '@/ui/icons'
import { Card, VisuallyHidden } from '@/ui/layout'
import { Menu, MenuChoice } from '@/ui/Menu'
import { labelWithCount } from '../../label-with-count'
import { userStatsQuery, usersQuery } from '../api'
import { useBulkAdminAction } from '../bulk-action'
import { OpenTasks } from '../components/OpenTasks'
import { type UserDialogState, UserDialogs } from '../components/UserDialogs'
import { UserList } from '../components/UserList'
import type { OpenUserDialog } from '../components/UserListRow'
import { UserSelectionBar } from '../components/UserSelectionBar'
import { UserStats } from '../components/UserStats'
import { defaultUserSort, userFilterCounts, userFilterNames, userSortNames } from '../model'

/**
 * Shows the open tasks, the counts and the list of users. `?q=` is the search, `?filter=` the filter and `?sort=` the
 * sort order of the list.
 */
export function UsersTab() {
  const heading = useRef<HTMLHeadingElement>(null)
  const focusList = () => heading.current?.focus()
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2" paddingTop={{ base: '2', md: '0' }}>
      <OpenTasks onFilter={focusList} />
      <UserStats onFilter={focusList} />
      <UserSection heading={heading} />
    </Box>
  )
}

/** Shows the list of users with its search and filter, and the dialogs for the users. */
function UserSection({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const id = useId()
  const [params, changeParams] = useUrlParams()
  const search = (params.get('q') ?? '').trim().slice(0, limits.searchQuery.max)
  const filter = AdminUserFilter.safeParse(params.get('filter')).data ?? 'all'
  const sort = AdminUserSort.safeParse(params.get('sort')).data ?? defaultUserSort(filter)
  const list = useInfiniteQuery(usersQuery(search, filter, sort))
  const total = list.isPlaceholderData ? undefined : list.data?.pages.at(-1)?.total
  const { data: stats } = useQuery(userStatsQuery)
  // The counts do not depend on the search, so they would differ from the number of results.
  const counts = stats && !search ? userFilterCounts(stats) : undefined
  const [selected, setSelected] = useState<readonly string[]>([])
  const select = useCallback(
    (ids: readonly string[], isSelected: boolean) =>
      setSelected((current) => [...current.filter((id) => !ids.includes(id)), ...(isSelected ? ids : [])]),
    [],
  )
  const bulkAction = useBulkAdminAction((id) => select([id], false))
  const [dialog, setDialog] = useState<UserDialogState>()
  const openDialog: OpenUserDialog = useCallback(
    (user, kind, trigger) =>
      setDialog((previous) => ({
        open: true,
        openCount: (previous?.openCount ?? 0) + 1,
        kind,
        user,
        trigger,
        row: trigger.closest<HTMLElement>('[role=row]'),
      })),
    [],
  )
  const changeSort = (newSort: AdminUserSort) =>
    changeParams({ sort: newSort === defaultUserSort(filter) ? null : newSort })
  return (
    // Not `overflow="hidden"`, which would keep the selection bar from sticking to the edge of the screen.
    <Card as="section" aria-labelledby={id} overflow="clip">
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        columnGap="3"
        rowGap="2"
        paddingInline={{ base: '4', md: '5' }}
        paddingBlock={{ base: '3', md: '2.5' }}
      >
        {/* Visually hidden on wide screens, where the name of the tab serves as the title. */}
        <Box display="flex" alignItems="center" gap="2.5" flexBasis="100%" srOnly={{ base: false, lg: true }}>
          <Box
            as="h2"
            id={id}
            ref={heading}
            tabIndex={-1}
            textStyle="title"
            // Stays clear of the page header when scrolled into view.
            scrollMarginTop="calc({sizes.header} + {spacing.4})"
          >
            {t`User management`}
          </Box>
          {total !== undefined && <Badge hideFrom="lg">{formatCount(total)}</Badge>}
          {/* On wide screens, the table's column headers sort the list instead. */}
          <Box hideFrom="lg" marginInlineStart="auto" marginInlineEnd="-2">
            <SortMenu sort={sort} onSort={changeSort} />
          </Box>
        </Box>
        <UserSearch term={search} onSearch={(term) => changeParams({ q: term })} />
        <FilterChips
          label={t`Show`}
          options={AdminUserFilter.options.map((option) => ({
            value: option,
            label: labelWithCount(t(userFilterNames[option]), counts?.[option]),
          }))}
          value={filter}
          onChange={(newFilter) => changeParams({ filter: newFilter === 'all' ? null : newFilter })}
        />
        <VisuallyHidden role="status">
          {total !== undefined && t`${plural(total, { one: '# user found', other: '# users found' })}`}
        </VisuallyHidden>
      </Box>
      <UserList
        list={list}
        search={search}
        filter={filter}
        sort={sort}
        onSort={changeSort}
        selected={selected}
        onSelect={select}
        onOpenDialog={openDialog}
        onClear={() => {
          changeParams({ q: null, filter: null, sort: null })
          heading.current?.focus()
        }}
      />
      <UserSelectionBar
        users={uniqueItems(list.data?.pages ?? []).filter((user) => selected.includes(user.id))}
        bulkAction={bulkAction}
        onClear={() => setSelected([])}
        heading={() => heading.current}
      />
      {dialog && (
        <UserDialogs
          dialog={dialog}
          onClose={() => setDialog((current) => current && { ...current, open: false })}
          heading={() => heading.current}
        />
      )}
    </Card>
  )
}

/** Shows the sort order of the list and a menu that changes it. */
function SortMenu({ sort, onSort }: { sort: AdminUserSort; onSort: (sort: AdminUserSort) => void }) {
  const label = t(userSortNames[sort])
  return (
    <Menu
      label={t`Sort by`}
      trigger={
        <Button variant="ghost" size="sm" paddingInline="2" gap="1" aria-label={t`Sort by: ${label}`}>
          {label}
          <ChevronDownIcon />
        </Button>
      }
    >
      <MenuChoice
        label={t`Sort by`}
        value={sort}
        onChange={(value) => onSort(AdminUserSort.parse(value))}
        options={AdminUserSort.options.map((value) => ({ value, label: t(userSortNames[value]) }))}
      />
    </Menu>
  )
}

/** On wide screens, the field is as tall as the chips beside it. */
const compactInput = {
  minHeight: { base: 'target', lg: '9' },
  fontSize: { lg: 'sm' },
  '@media (pointer: coarse)': { minHeight: 'target', fontSize: 'input' },
} as const

/** Shows the search field. Calls `onSearch` after a pause in typing; `term` is the current search. */
function UserSearch({ term, onSearch }: { term: string; onSearch: (term: string) => void }) {
  const [input, setInput] = useState(term)
  const [submittedTerm, setSubmittedTerm] = useState(term)
  const [previousTerm, setPreviousTerm] = useState(term)
  if (previousTerm !== term) {
    setPreviousTerm(term)
    // Navigation, for example through a link, replaces the input. The field's own search does not, because the user may
    // still be typing.
    if (submittedTerm !== term) {
      setSubmittedTerm(term)
      if (input.trim() !== term) setInput(term)
    }
  }
  const timer = useRef(0)
  const latest = useRef({ input, term, onSearch })
  useEffect(() => {
    latest.current = { input, term, onSearch }
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const submit = () => {
    const current = latest.current
    const newTerm = current.input.trim()
    if (newTerm === current.term) return
    setSubmittedTerm(newTerm)
    current.onSearch(newTerm)
  }
  const changeInput = (newInput: string) => {
    setInput(newInput)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(submit, intervals.searchDebounceMs)
  }
  return (
    <Box as="search" aria-label={t`Users`} flex={{ base: '1 1 100%', lg: '1 1 10rem' }} minWidth="0">
      <SearchInput
        label={t`Search by name, username or email`}
        spellCheck={false}
        maxLength={limits.searchQuery.max}
        css={compactInput}
        paddingInlineEnd="2"
        value={input}
        onChange={({ target }) => changeInput(target.value)}
      />
    </Box>
  )
}
