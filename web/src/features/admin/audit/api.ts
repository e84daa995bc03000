import { AdminUser } from '@contract/admin.ts'
import { AuditEntry, type AuditQuery, AuditStatus } from '@contract/audit.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { saveFile } from '@/lib/browser'
import { errorMessage } from '@/lib/errors'
import { toast } from '@/ui/toaster'

/** `from` and `to` are days in UTC, inclusive. */
export type AuditFilter = Pick<AuditQuery, 'action' | 'actor' | 'target' | 'from' | 'to'>

const auditKey = ['admin', 'audit'] as const
const pageSize = limits.page.audit

/** The log entries that match `filter`, newest first. Always stale, because other admins add entries. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...auditKey, 'rows', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: pageSize, before: pageParam }
      return api.get(withQuery('/api/admin/audit', query), z.array(AuditEntry), { signal })
    },
    initialPageParam: undefined as number | undefined,
    // The endpoint returns no cursor: after a full page there may be another page.
    getNextPageParam: (lastPage) => (lastPage.length === pageSize ? lastPage.at(-1)?.id : undefined),
    staleTime: 0,
  })

/** Verifies the log's hash chain. The server reads the whole log to do this. */
export const auditIntegrityQuery = queryOptions({
  queryKey: [...auditKey, 'status'],
  queryFn: ({ signal }) => api.get('/api/admin/audit/status', AuditStatus, { signal }),
  staleTime: 0,
})

/** The first users whose name, username or email contains `search`. */
export const userSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [...auditKey, 'user-search', search],
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/admin/users', { search, limit: 5 }), z.array(AdminUser), { signal }),
    enabled: search !== '',
    staleTime: intervals.pollMs,
  })

/** The user selected in a filter. The URL contains only their id. */
export const userByIdQuery = (id: string) =>
  queryOptions({
    queryKey: [...auditKey, 'user', id],
    queryFn: ({ signal }) => api.get(`/api/admin/users/${encodeURIComponent(id)}`, AdminUser, { signal }),
  })

/** Downloads the log entries that match the filter as CSV. */
export function useExportAuditLog() {
  return useMutation({
    scope: { id: 'admin:audit-export' },
    mutationFn: async (filter: AuditFilter) => {
      const { blob, name } = await api.download(withQuery('/api/admin/audit/export', filter))
      saveFile(blob, name ?? 'audit-log.csv')
    },
    onSuccess: () => toast({ title: t`Audit log downloaded` }),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't export the audit log. Try again.`) },
  })
}
