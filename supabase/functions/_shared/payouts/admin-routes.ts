import { createRoute, z } from '@hono/zod-openapi'
import { confirmAdmin } from '../admin/confirm.ts'
import { AdminPayout, AdminPayoutsQuery, PayoutTarget, SettlePayoutRequest } from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { listAllPayouts, revealTarget, settlePayout } from './admin.ts'

const tags = ['Admin']

export const adminPayoutRoutes = createRouter()

adminPayoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/payouts',
    tags,
    summary: 'Everybody’s payouts, the newest first; for admins',
    ...forPeople,
    request: { query: AdminPayoutsQuery },
    responses: { 200: answers(z.array(AdminPayout), 'A page of payouts') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = rangeOf(query, limits.page.payouts)
    return passPage(c, await listAllPayouts(c.var.user, query.state, range))
  },
)

adminPayoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/payouts/{id}/settle',
    tags,
    summary: 'Say that a payout was paid, or that it failed, which gives the money back; once, and audited',
    ...forPeopleBut(confirmAdmin),
    request: { params: IdParam, ...takes(SettlePayoutRequest) },
    responses: { 200: answers(AdminPayout, 'The payout as it is now') },
  }),
  async (c) => passJson(c, await settlePayout(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

adminPayoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/payouts/{id}/details',
    tags,
    summary: 'Where a payout that waits is to go, in full; audited',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(PayoutTarget, 'The details') },
  }),
  async (c) => c.json(await revealTarget(c.var.user, c.req.valid('param').id), 200),
)
