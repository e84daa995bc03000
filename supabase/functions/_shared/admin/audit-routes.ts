import { createRoute, z } from '@hono/zod-openapi'
import { AccountLogEntry, AccountLogQuery, AuditEntry, AuditQuery, AuditStatus } from '../contract/audit.ts'
import { answers, passJson } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { passCsv } from '../http/csv.ts'
import { refuseElsewhere } from '../http/origin.ts'
import { listAccountLog } from './account-log.ts'
import { listAudit, readAuditStatus } from './audit.ts'
import { exportAudit } from './audit-export.ts'

const tags = ['Admin']

/** What was done by admins, for them and for whom it was done to. */
export const auditRoutes = createRouter()

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/audit',
    tags,
    summary: 'What admins did, the newest first; go on with the last `id` as `before`; for admins',
    ...forPeople,
    request: { query: AuditQuery },
    responses: { 200: answers(z.array(AuditEntry), 'A page of the log') },
  }),
  async (c) => passJson(c, await listAudit(c.var.user, c.req.valid('query')), 200),
)

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/audit/export',
    tags,
    summary: 'The same as a CSV file, 50,000 rows at most; for admins',
    ...forPeople,
    request: { query: AuditQuery.omit({ limit: true, offset: true }) },
    responses: { 200: { description: 'The table, as a download' } },
  }),
  async (c) => {
    refuseElsewhere(c.req.raw.headers)
    return passCsv(c, 'audit-log.csv', await exportAudit(c.var.user, c.req.valid('query')))
  },
)

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/audit/status',
    tags,
    summary: 'Whether every row of the log is as it was written; for admins',
    ...forPeople,
    responses: { 200: answers(AuditStatus, 'How the chain stands') },
  }),
  async (c) => passJson(c, await readAuditStatus(c.var.user), 200),
)

auditRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/account-log',
    tags: ['Accounts'],
    summary: 'What admins did to your account, the newest first; go on with the last `id` as `before`',
    ...forPeople,
    request: { query: AccountLogQuery },
    responses: { 200: answers(z.array(AccountLogEntry), 'A page of it') },
  }),
  async (c) => c.json(await listAccountLog(c.var.user, c.req.valid('query')), 200),
)
