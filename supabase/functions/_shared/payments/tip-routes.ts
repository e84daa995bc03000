import { createRoute } from '@hono/zod-openapi'
import { CheckoutAnswer, SubscriptionOffer, TipAnswer, TipRequest, TipState } from '../contract/payment.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { confirmWrite } from '../http/live.ts'
import { IdParam } from '../http/params.ts'
import { readOffer } from './offer.ts'
import { readTip, tipCreator } from './tip.ts'

export const tipRoutes = createRouter()

tipRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/users/{id}/tip',
    tags: ['Payments'],
    summary: 'Tip a creator; paid once for each id, however often it is sent',
    ...forPeopleBut(confirmWrite),
    request: { params: IdParam, ...takes(TipRequest) },
    responses: {
      200: answers(TipAnswer, 'It was paid already'),
      201: answers(TipAnswer, 'It is paid'),
      202: answers(CheckoutAnswer, 'It is paid on a page elsewhere, and heard of later'),
    },
  }),
  async (c) => {
    const tipped = await tipCreator(c.var.user, c.req.valid('param').id, c.req.valid('json'))
    if ('checkoutUrl' in tipped) return c.json(tipped, 202)
    return c.json(tipped.answer, tipped.state === 'new' ? 201 : 200)
  },
)

tipRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/tips/{id}',
    tags: ['Payments'],
    summary: 'What has become of a tip of yours: a payment that is made elsewhere is heard of later',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(TipState, 'The tip') },
  }),
  async (c) => passJson(c, await readTip(c.var.user, c.req.valid('param').id), 200),
)

tipRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{id}/subscription-offer',
    tags: ['Payments'],
    summary: 'What a subscription to a creator costs and opens',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(SubscriptionOffer, 'The offer') },
  }),
  async (c) => passJson(c, await readOffer(c.var.user, c.req.valid('param').id), 200),
)
