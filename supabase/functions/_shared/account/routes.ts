import { createRoute } from '@hono/zod-openapi'
import { readClientInfo } from '../auth/client-info.ts'
import { DeleteAccountRequest } from '../contract/account.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { rejectCrossSite } from '../http/origin.ts'
import { jsonBody } from '../http/responses.ts'
import { clearSessionCookie } from '../http/session-cookie.ts'
import { deleteAccount } from './account-deletion.ts'
import { exportAccount } from './data-export.ts'

const tags = ['Accounts']

export const accountRoutes = createRouter()

accountRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/account',
    tags,
    summary: 'Delete your account permanently; all of its sessions end',
    ...requireUser,
    request: jsonBody(DeleteAccountRequest),
    responses: { 204: { description: 'The account is deleted' } },
  }),
  async (c) => {
    await deleteAccount(c.var.user, c.req.valid('json'), readClientInfo(c.req.raw.headers))
    clearSessionCookie(c)
    return c.body(null, 204)
  },
)

accountRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/account/export',
    tags,
    summary: 'Download your data as one JSON file, which ends with `"complete":true`',
    ...requireUser,
    responses: { 200: { description: 'The data export, as a download' } },
  }),
  async (c) => {
    // Each export is expensive and rate limited, so a link on another site must not start one.
    rejectCrossSite(c.req.raw.headers)
    const { fileName, stream } = await exportAccount(c.var.user)
    const response: Response = c.body(stream, 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    })
    return response
  },
)
