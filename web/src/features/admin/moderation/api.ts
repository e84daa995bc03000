import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { AdminCase, AdminCaseDetails, type CaseState, type SubjectKind } from '@contract/moderation.ts'
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'

export const casesKey = ['admin', 'cases'] as const

/** Which cases are shown. */
export type CaseFilter = {
  state: CaseState | undefined
  kind: SubjectKind | undefined
  personId: string | undefined
}
export type CasePages = InfiniteData<Page<AdminCase>>

const listsKey = [...casesKey, 'list'] as const
/** Lists of cases in a state. */
export const caseListKey = (state: CaseState) => [...listsKey, state] as const

/**
 * Cases, the last moved first. People go on reporting and other admins decide, which nothing tells this page: it asks
 * again every half minute.
 */
export const casesQuery = ({ state, kind, personId }: CaseFilter) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, state, kind, personId],
    queryFn: ({ pageParam, signal }) => {
      const query = { state, kind, personId, limit: limits.page.cases, cursor: pageParam ?? undefined }
      return api.page(withQuery('/api/admin/cases', query), AdminCase, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 0,
    refetchInterval: intervals.pollMs,
  })

/** One case with its latest reports, and who made them. */
export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: [...casesKey, 'one', id],
    queryFn: ({ signal }) => api.get(`/api/admin/cases/${id}`, AdminCaseDetails, { signal }),
    staleTime: 0,
  })
