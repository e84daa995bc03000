import { createRoute, z } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { CheckoutAnswer, CreatorPro, PortalAnswer } from '../contract/payment.ts'
import { answers } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { confirmSession } from '../http/live.ts'
import { takePortal } from '../limits/queries.ts'
import { cancelCreatorPro, readCreatorPro, upgrade } from './creator-pro.ts'
import { port } from './port.ts'
import { tellSoon } from './settle.ts'

export const billingRoutes = createRouter()

billingRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/creator-pro',
    tags: ['Payments'],
    summary: 'Creator Pro as it is for you',
    ...forPeople,
    responses: { 200: answers(CreatorPro, 'What it costs, and your plan') },
  }),
  async (c) => c.json(await readCreatorPro(c.var.user), 200),
)

billingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/creator-pro',
    tags: ['Payments'],
    summary: 'Upgrade to Creator Pro by the month, or let a cancelled plan go on',
    ...forPeople,
    responses: {
      200: answers(CreatorPro, 'You had it already: nothing was paid'),
      201: answers(CreatorPro, 'The first month is paid'),
      202: answers(CheckoutAnswer, 'The page where the first month is paid'),
    },
  }),
  async (c) => {
    const paid = await upgrade(c.var.user)
    if ('checkoutUrl' in paid) return c.json(paid, 202)
    if (!paid.isNew) tellSoon()
    return c.json(paid.answer, paid.isNew ? 201 : 200)
  },
)

billingRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/creator-pro',
    tags: ['Payments'],
    summary: 'End your Creator Pro with the month that is paid, or at once where none is',
    ...forPeople,
    responses: { 204: { description: 'It is not renewed' } },
  }),
  async (c) => {
    await cancelCreatorPro(c.var.user)
    tellSoon()
    return c.body(null, 204)
  },
)

billingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/billing/portal',
    tags: ['Payments'],
    summary: 'The provider’s own page for what you pay by the month',
    ...forPeople,
    responses: { 200: answers(PortalAnswer, 'Its address, good for a short time') },
  }),
  async (c) => {
    const { user } = c.var
    await confirmSession(user)
    await takePortal(user)
    const url = await port?.elsewhere?.portal(user.userId)
    if (!url) throw notFound('There is no such page for you.')
    return c.json({ url }, 200)
  },
)

/** Bytes of what a provider tells at most. */
const maxTold = 512 * 1024

billingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/payments/webhook',
    tags: ['Payments'],
    summary: 'What the payments provider tells: signed by it, taken once',
    middleware: bodyLimit({
      maxSize: maxTold,
      onError: () => {
        throw new ApiError(413, 'This is too large.')
      },
    }),
    responses: { 200: answers(z.object({ received: z.literal(true) }), 'Taken, now or before') },
  }),
  async (c) => {
    if (!port?.elsewhere) throw notFound()
    // As it was sent: the signature is of every byte.
    await port.elsewhere.hear(await c.req.text(), c.req.header('stripe-signature') ?? '')
    return c.json({ received: true as const }, 200)
  },
)
