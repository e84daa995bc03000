import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { CheckoutAnswer } from '../contract/payment.ts'
import { UnlockAnswer, UnlockRequest } from '../contract/post.ts'
import { SubscribeAnswer, SubscribeRequest, Subscription } from '../contract/subscription.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { confirmWrite } from '../http/live.ts'
import { IdParam, PathId } from '../http/params.ts'
import { tellSoon } from './settle.ts'
import { cancelSubscription, listSubscriptions, subscribe } from './subscriptions.ts'
import { unlockPost } from './unlock.ts'

export const paymentRoutes = createRouter()

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/unlock',
    tags: ['Payments'],
    summary: 'Pay for a premium post; paid once, however often it is sent',
    ...forPeople,
    request: { params: IdParam, ...takes(UnlockRequest) },
    responses: {
      200: answers(UnlockAnswer, 'The post, open for good'),
      202: answers(CheckoutAnswer, 'The page where it is paid for'),
    },
  }),
  async (c) => {
    const { amount } = c.req.valid('json')
    const paid = await unlockPost(c.var.user, c.req.valid('param').id, amount)
    return typeof paid === 'object' ? c.json(paid, 202) : passJson(c, paid, 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/subscriptions',
    tags: ['Payments'],
    summary: 'Subscribe to a creator by the month, or let a cancelled subscription go on',
    ...forPeopleBut(confirmWrite),
    request: takes(SubscribeRequest),
    responses: {
      200: answers(SubscribeAnswer, 'It ran already: nothing was paid'),
      201: answers(SubscribeAnswer, 'The first month is paid'),
      202: answers(CheckoutAnswer, 'The page where the first month is paid'),
    },
  }),
  async (c) => {
    const paid = await subscribe(c.var.user, c.req.valid('json').creatorId.toLowerCase())
    if ('checkoutUrl' in paid) return c.json(paid, 202)
    if (!paid.isNew) tellSoon()
    return passJson(c, paid.answer, paid.isNew ? 201 : 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/subscriptions/{creatorId}',
    tags: ['Payments'],
    summary: 'End your subscription to a creator with the month that is paid, or at once where none is',
    ...forPeople,
    request: { params: z.object({ creatorId: PathId }) },
    responses: { 204: { description: 'It is not renewed' } },
  }),
  async (c) => {
    await cancelSubscription(c.var.user, c.req.valid('param').creatorId)
    tellSoon()
    return c.body(null, 204)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/subscriptions',
    tags: ['Payments'],
    summary: 'What you subscribe to or once did, the latest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Subscription), 'A page of subscriptions') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.subscriptions)
    return passPage(c, await listSubscriptions(c.var.user, range))
  },
)
