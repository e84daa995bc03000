import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import {
  AddPayoutMethodRequest,
  EditPayoutMethodRequest,
  Payout,
  PayoutMethod,
  PayoutRequest,
  PayoutSchedule,
  PayoutScheduleRequest,
} from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { rangeOf } from '../db/page.ts'
import { confirmEarner } from '../earnings/refuse.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { addMethod, editMethod, listMethods, removeMethod } from './methods.ts'
import { listPayouts, requestPayout } from './payouts.ts'
import { changeSchedule, readSchedule } from './schedule.ts'

const tags = ['Payouts']

export const payoutRoutes = createRouter()

payoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/payouts/methods',
    tags,
    summary: 'Where your money can go, the default one first; details are only ever shown in part',
    ...forPeople,
    responses: { 200: answers(z.array(PayoutMethod), 'Your payout methods') },
  }),
  async (c) => passJson(c, await listMethods(c.var.user), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/payouts/methods',
    tags,
    summary: 'Add a payout method; it can be used in five days, and a mail tells you of it',
    ...forPeopleBut(confirmEarner),
    request: takes(AddPayoutMethodRequest),
    responses: {
      200: answers(PayoutMethod, 'It was added before, under the `id` that you sent'),
      201: answers(PayoutMethod, 'The new method'),
    },
  }),
  async (c) => {
    const { item, isNew } = await addMethod(c.var.user, c.req.valid('json'))
    return passJson(c, item, isNew ? 201 : 200)
  },
)

payoutRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/payouts/methods/{id}',
    tags,
    summary: 'Change a payout method, or make it the default one; with other details it waits for five days',
    ...forPeopleBut(confirmEarner),
    request: { params: IdParam, ...takes(EditPayoutMethodRequest) },
    responses: { 200: answers(PayoutMethod, 'The method as it is now') },
  }),
  async (c) => passJson(c, await editMethod(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/payouts/methods/{id}',
    tags,
    summary: 'Remove a payout method; another one becomes the default',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It is gone' } },
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
    summary: 'Whether you are paid every week, and when next',
    ...forPeople,
    responses: { 200: answers(PayoutSchedule, 'Your schedule') },
  }),
  async (c) => passJson(c, await readSchedule(c.var.user), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/payouts/schedule',
    tags,
    summary: 'Switch weekly payouts on or off',
    ...forPeopleBut(confirmEarner),
    request: takes(PayoutScheduleRequest),
    responses: { 200: answers(PayoutSchedule, 'Your schedule') },
  }),
  async (c) => passJson(c, await changeSchedule(c.var.user, c.req.valid('json').weekly), 200),
)

payoutRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/payouts',
    tags,
    summary: 'What you asked to be paid out and what became of it, the newest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Payout), 'A page of payouts') },
  }),
  async (c) => passPage(c, await listPayouts(c.var.user, rangeOf(c.req.valid('query'), limits.page.payouts))),
)

payoutRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/payouts',
    tags,
    summary: 'Have money paid out now, $50.00 at least: all that is available, or an amount of it',
    ...forPeopleBut(confirmEarner),
    request: takes(PayoutRequest),
    responses: {
      200: answers(Payout, 'It was asked for before, under the `id` that you sent'),
      201: answers(Payout, 'The payout: its amount has left your balance'),
    },
  }),
  async (c) => {
    const { item, isNew } = await requestPayout(c.var.user, c.req.valid('json'))
    return passJson(c, item, isNew ? 201 : 200)
  },
)
