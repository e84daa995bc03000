import { AdminStats, AdminUser, type AdminUserFilter } from '@contract/admin.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'

/** How many of what there is. Nothing tells this page of news, so it asks again every half minute. */
export const userStatsQuery = queryOptions({
  queryKey: ['admin', 'stats'],
  queryFn: ({ signal }) => api.get('/api/admin/stats', AdminStats, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})

/** The first parts of the keys of all lists of people. */
export const usersKey = ['admin', 'people'] as const

/** People whose name, username or email has `search` in it, those of `filter`, the newest first. */
export const usersQuery = (search: string, filter: AdminUserFilter) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, search, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        search: search || undefined,
        filter: filter === 'all' ? undefined : filter,
        limit: limits.page.adminUsers,
        cursor: pageParam ?? undefined,
      }
      return api.page(withQuery('/api/admin/users', query), AdminUser, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    // What was found last stays in sight while the next search is on its way.
    placeholderData: keepPreviousData,
    staleTime: intervals.pollMs,
  })

/** Where calls about one person go. */
export const userPath = (id: string, what = '') => `/api/admin/users/${id}${what}`

/** One person, as they are now. */
export const fetchUser = (id: string) => api.get(userPath(id), AdminUser)
