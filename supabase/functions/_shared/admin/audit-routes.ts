import { createRoute, z } from '@hono/zod-openapi'
import { AccountLogEntry, AccountLogQuery, AuditEntry, AuditQuery, AuditStatus } from '../contract/audit.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { sendCsv } from '../http/csv.ts'
import { rejectCrossSite } from '../http/origin.ts'
import { jsonResponse, sendJson } from '../http/responses.ts'
import { listAccountLog } from './account-log.ts'
import { exportAuditLog } from './audit-export.ts'
import { listAuditEntries, readAuditStatus } from './audit-queries.ts'

const tags = ['Admin']

/** Routes of the audit log. Admins can read all entries; users can read about admin actions on their own account. */
export const auditRoutes = createRouter()

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/audit',
    tags,
    summary:
      'List the audit log, newest first; for the next page, pass the last `id` as `before`; admins only',
    ...requireUser,
    request: { query: AuditQuery },
    responses: { 200: jsonResponse(z.array(AuditEntry), 'A page of the log') },
  }),
  async (c) => sendJson(c, await listAuditEntries(c.var.user, c.req.valid('query')), 200),
)

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/audit/export',
    tags,
    summary: 'Download the audit log as a CSV file, up to 50,000 rows; admins only',
    ...requireUser,
    request: { query: AuditQuery.omit({ limit: true, offset: true }) },
    responses: { 200: { description: 'The file, as a download' } },
  }),
  async (c) => {
    rejectCrossSite(c.req.raw.headers)
    return sendCsv(c, 'audit-log.csv', await exportAuditLog(c.var.user, c.req.valid('query')))
  },
)

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/audit/status',
    tags,
    summary: 'Check whether the audit log was tampered with; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(AuditStatus, 'The state of the hash chain') },
  }),
  async (c) => sendJson(c, await readAuditStatus(c.var.user), 200),
)

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/account-log',
    tags: ['Accounts'],
    summary:
      'List admin actions on your account, newest first; for the next page, pass the last `id` as `before`',
    ...requireUser,
    request: { query: AccountLogQuery },
    responses: { 200: jsonResponse(z.array(AccountLogEntry), 'A page of the log') },
  }),
  async (c) => c.json(await listAccountLog(c.var.user, c.req.valid('query')), 200),
)
