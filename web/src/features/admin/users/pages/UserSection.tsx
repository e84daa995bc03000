import { Box } from '@chakra-ui/react'
import { AdminUserFilter } from '@contract/admin.ts'
import { limits } from '@contract/limits.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type RefObject, useCallback, useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Badge } from '@/ui/Badge'
import { FilterChips } from '@/ui/FilterChips'
import { Card, VisuallyHidden } from '@/ui/layout'
import { usersQuery } from '../api'
import { type UserDialogState, UserDialogs } from '../components/UserDialogs'
import { UserList } from '../components/UserList'
import type { OpenUserDialog } from '../components/UserListRow'
import { userFilterNames } from '../labels'
import { UserSearch } from './UserSearch'

const filters = userFilterNames.map(([value, label]) => ({ value, label }))

/** Everybody, found by name, username or email, and what can be done with their accounts. */
export function UserSection({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const id = useId()
  const [params, setParams] = useSearchParams()
  const search = (params.get('q') ?? '').trim().slice(0, limits.searchQuery.max)
  const filter = AdminUserFilter.safeParse(params.get('filter')).data ?? 'all'
  const list = useInfiniteQuery(usersQuery(search, filter))
  const total = list.isPlaceholderData ? undefined : list.data?.pages.at(-1)?.total
  const [asking, setAsking] = useState<UserDialogState>()
  const onAsk: OpenUserDialog = useCallback(
    (person, action, from) =>
      setAsking((last) => ({
        open: true,
        turn: (last?.turn ?? 0) + 1,
        action,
        person,
        from,
        row: from.closest('li'),
      })),
    [],
  )
  const change = (name: 'q' | 'filter', value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value)
        else before.delete(name)
        return before
      },
      // At once, or a press or a search right behind it would be judged by what was before.
      { replace: true, flushSync: true },
    )
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box display="grid" gap="4" padding={{ base: '4', md: '5' }}>
        <Box display="flex" alignItems="center" gap="2.5">
          <Box
            as="h2"
            id={id}
            ref={heading}
            tabIndex={-1}
            textStyle="title"
            // Not under the bar at the top.
            scrollMarginTop="calc({sizes.header} + {spacing.4})"
          >
            User Management
          </Box>
          {total !== undefined && (
            <Badge>
              {total.toLocaleString('en-US')}{' '}
              <VisuallyHidden>{total === 1 ? 'user' : 'users'}</VisuallyHidden>
            </Badge>
          )}
        </Box>
        <UserSearch term={search} onSearch={(term) => change('q', term)} />
        <FilterChips
          label="Show"
          options={filters}
          value={filter}
          onChange={(next) => change('filter', next === 'all' ? '' : next)}
        />
        <VisuallyHidden role="status">{total !== undefined && found(total)}</VisuallyHidden>
      </Box>
      <UserList
        list={list}
        search={search}
        filter={filter}
        onAsk={onAsk}
        onClear={() => {
          setParams({ tab: 'people' }, { replace: true, flushSync: true })
          heading.current?.focus()
        }}
      />
      {asking && (
        <UserDialogs
          asking={asking}
          onClose={() => setAsking((now) => now && { ...now, open: false })}
          heading={() => heading.current}
        />
      )}
    </Card>
  )
}

const found = (total: number) => `${total.toLocaleString('en-US')} ${total === 1 ? 'user' : 'users'} found`
