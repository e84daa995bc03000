import { AdminUser } from '@contract/admin.ts'
import { AuditEntry, type AuditQuery, AuditStatus } from '@contract/audit.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/ui/toaster'
import { showError } from '../show-error'

/** Which rows of the log; days are in UTC, both included. */
export type AuditFilter = Pick<AuditQuery, 'action' | 'actor' | 'target' | 'from' | 'to'>

const key = ['admin', 'audit'] as const
const size = limits.page.audit

/** The rows of a filter, the newest first. Others add to them, so that it asks again each time it is shown. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...key, 'rows', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: size, before: pageParam }
      return api.get(withQuery('/api/admin/audit', query), z.array(AuditEntry), { signal })
    },
    initialPageParam: undefined as number | undefined,
    // Only a full page may have another one behind it.
    getNextPageParam: (last) => (last.length === size ? last.at(-1)?.id : undefined),
    staleTime: 0,
  })

/** Whether every row is as it was written. The whole log is read for it. */
export const auditIntegrityQuery = queryOptions({
  queryKey: [...key, 'status'],
  queryFn: ({ signal }) => api.get('/api/admin/audit/status', AuditStatus, { signal }),
  staleTime: 0,
})

/** People whose name, username or email has `search` in it: a few. */
export const userSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [...key, 'found', search],
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/admin/users', { search, limit: 5 }), z.array(AdminUser), { signal }),
    enabled: search !== '',
    staleTime: intervals.pollMs,
  })

/** Somebody who is filtered by, as the address names them by their id alone. */
export const userByIdQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'named', id],
    queryFn: ({ signal }) => api.get(`/api/admin/users/${encodeURIComponent(id)}`, AdminUser, { signal }),
  })

/** Downloads the rows of a filter as CSV. */
export function useExportAuditLog() {
  return useMutation({
    scope: { id: 'admin:audit-export' },
    mutationFn: async (filter: AuditFilter) => {
      const { blob, name } = await api.file(withQuery('/api/admin/audit/export', filter))
      saveFile(blob, name ?? 'audit-log.csv')
    },
    onSuccess: () => toast({ title: 'The audit log is downloaded' }),
    onError: (error) => showError(error, 'The audit log could not be downloaded. Please try again.'),
  })
}
