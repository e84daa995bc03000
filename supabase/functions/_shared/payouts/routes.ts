import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import {
  AddPayoutMethodRequest,
  AdminPayout,
  AdminPayoutsQuery,
  EditPayoutMethodRequest,
  Payout,
  PayoutDestination,
  PayoutMethod,
  PayoutRequest,
  PayoutSchedule,
  PayoutScheduleRequest,
  SettlePayoutRequest,
} from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { requireEarnerCanWrite } from '../earnings/queries.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { IdParam, pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { addMethod, editMethod, listMethods, removeMethod } from './methods.ts'
import {
  changeSchedule,
  listAllPayouts,
  listPayouts,
  readSchedule,
  requestPayout,
  revealPayoutDetails,
  settlePayout,
} from './queries.ts'

const tags = ['Payouts']
const adminTags = ['Admin']

export const payoutRoutes = createRouter()

payoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/payouts/methods',
    tags,
    summary: 'List your payout methods, the default one first; details are masked',
    ...requireUser,
    responses: { 200: jsonResponse(z.array(PayoutMethod), 'Your payout methods') },
  }),
  async (c) => sendJson(c, await listMethods(c.var.user), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/payouts/methods',
    tags,
    summary: `Add a payout method, which can be used after ${limits.payoutMethodHoldDays} days; you are notified by email`,
    ...requireUserAnd(requireEarnerCanWrite),
    request: jsonBody(AddPayoutMethodRequest),
    responses: {
      200: jsonResponse(PayoutMethod, 'The method that was added earlier with this `id`'),
      201: jsonResponse(PayoutMethod, 'The new method'),
    },
  }),
  async (c) => {
    const { item, isNew } = await addMethod(c.var.user, c.req.valid('json'))
    return sendJson(c, item, isNew ? 201 : 200)
  },
)

payoutRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/payouts/methods/{id}',
    tags,
    summary: `Change a payout method or make it the default; new details can be used after ${limits.payoutMethodHoldDays} days`,
    ...requireUserAnd(requireEarnerCanWrite),
    request: { params: IdParam, ...jsonBody(EditPayoutMethodRequest) },
    responses: { 200: jsonResponse(PayoutMethod, 'The changed method') },
  }),
  async (c) => sendJson(c, await editMethod(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/payouts/methods/{id}',
    tags,
    summary:
      'Remove a payout method; if it was the default, your oldest remaining method becomes the default',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The method was removed' } },
  }),
  async (c) => {
    await removeMethod(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

payoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/payouts/schedule',
    tags,
    summary: 'Get your payout schedule, and when the next payout is due',
    ...requireUser,
    responses: { 200: jsonResponse(PayoutSchedule, 'Your schedule') },
  }),
  async (c) => sendJson(c, await readSchedule(c.var.user), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/payouts/schedule',
    tags,
    summary: 'Turn weekly payouts on or off',
    ...requireUserAnd(requireEarnerCanWrite),
    request: jsonBody(PayoutScheduleRequest),
    responses: { 200: jsonResponse(PayoutSchedule, 'Your schedule') },
  }),
  async (c) => sendJson(c, await changeSchedule(c.var.user, c.req.valid('json').weekly), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/payouts',
    tags,
    summary: 'List your payouts and their states, newest first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Payout), 'A page of payouts') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.payouts)
    return sendPage(c, await listPayouts(c.var.user, range))
  },
)

payoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/payouts',
    tags,
    summary: 'Request a payout of at least $50.00: your whole available balance, or part of it',
    ...requireUserAnd(requireEarnerCanWrite),
    request: jsonBody(PayoutRequest),
    responses: {
      200: jsonResponse(Payout, 'The payout that was requested earlier with this `id`'),
      201: jsonResponse(Payout, 'The new payout; its amount is deducted from your balance'),
    },
  }),
  async (c) => {
    const { item, isNew } = await requestPayout(c.var.user, c.req.valid('json'))
    return sendJson(c, item, isNew ? 201 : 200)
  },
)

payoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/payouts',
    tags: adminTags,
    summary: 'List the payouts of all users, newest first unless `sort` is `oldest`; admins only',
    ...requireUser,
    request: { query: AdminPayoutsQuery },
    responses: { 200: jsonResponse(z.array(AdminPayout), 'A page of payouts') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.payouts)
    return sendPage(c, await listAllPayouts(c.var.user, query, range))
  },
)

payoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/payouts/{id}/settle',
    tags: adminTags,
    summary:
      'Mark a payout as paid or failed; a failed payout returns to the balance; cannot be undone; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(SettlePayoutRequest) },
    responses: { 200: jsonResponse(AdminPayout, 'The settled payout') },
  }),
  async (c) => sendJson(c, await settlePayout(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/payouts/{id}/details',
    tags: adminTags,
    summary: 'Get the full payout details of a payout that is not settled yet; admins only; audited',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(PayoutDestination, 'The details') },
  }),
  async (c) => c.json(await revealPayoutDetails(c.var.user, c.req.valid('param').id), 200),
)
