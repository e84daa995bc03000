import { createRoute } from '@hono/zod-openapi'
import { clientOf } from '../auth/client.ts'
import { DeleteAccountRequest } from '../contract/account.ts'
import { takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { forgetSession } from '../http/cookie.ts'
import { refuseElsewhere } from '../http/origin.ts'
import { deleteAccount } from './delete.ts'
import { exportAccount } from './export.ts'

const tags = ['Accounts']

export const accountRoutes = createRouter()

accountRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/account',
    tags,
    summary: 'Delete your account for good; every session of it ends',
    ...forPeople,
    request: takes(DeleteAccountRequest),
    responses: { 204: { description: 'It is gone' } },
  }),
  async (c) => {
    await deleteAccount(c.var.user, c.req.valid('json'), clientOf(c.req.raw.headers))
    forgetSession(c)
    return c.body(null, 204)
  },
)

accountRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/account/export',
    tags,
    summary: 'Everything that you made or are known by, as one JSON file that ends with `"complete":true`',
    ...forPeople,
    responses: { 200: { description: 'The archive, as a download' } },
  }),
  async (c) => {
    refuseElsewhere(c.req.raw.headers)
    const { name, text } = await exportAccount(c.var.user)
    const answer: Response = c.body(text, 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    })
    return answer
  },
)
