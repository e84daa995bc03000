import { createRoute, z } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { ErrorBody, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { UnlockPhotoResponse } from '../contract/message.ts'
import {
  CheckoutResponse,
  CreatorPro,
  PortalResponse,
  SubscriptionOffer,
  TipRequest,
  TipResponse,
  TipState,
} from '../contract/payment.ts'
import { UnlockRequest, UnlockResponse } from '../contract/post.ts'
import { SubscribeRequest, SubscribeResponse, Subscription } from '../contract/subscription.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { IdParam, PathId, pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { requireSession, requireWriteAccess } from '../http/run-as.ts'
import { consumeBillingPortalLimit } from '../rate-limits.ts'
import { pushSubscriptionChangesInBackground } from './charge-and-settle.ts'
import { paymentProvider } from './provider.ts'
import { subscribe, tipCreator, unlockPhoto, unlockPost, upgradeToCreatorPro } from './purchases.ts'
import {
  cancelCreatorPro,
  cancelSubscription,
  listSubscriptions,
  readCreatorPro,
  readSubscriptionOffer,
  readTip,
} from './queries.ts'

const tags = ['Payments']

export const paymentRoutes = createRouter()

const purchaseFailed = jsonResponse(
  ErrorBody,
  'The payment failed, or the purchase was cancelled in the meantime (`payment_failed`); any charge is refunded',
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/unlock',
    tags,
    summary: 'Unlock a premium post; repeated requests charge once',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(UnlockRequest) },
    responses: {
      200: jsonResponse(UnlockResponse, 'The unlocked post'),
      202: jsonResponse(CheckoutResponse, 'The checkout page for the post'),
      503: purchaseFailed,
    },
  }),
  async (c) => {
    const { amount } = c.req.valid('json')
    const result = await unlockPost(c.var.user, c.req.valid('param').id, amount)
    return typeof result === 'object' ? c.json(result, 202) : sendJson(c, result, 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/{id}/unlock',
    tags,
    summary: 'Unlock the photo of a message; repeated requests charge once',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(UnlockRequest) },
    responses: {
      200: jsonResponse(UnlockPhotoResponse, 'The message with its photo'),
      202: jsonResponse(CheckoutResponse, 'The checkout page for the photo'),
      503: purchaseFailed,
    },
  }),
  async (c) => {
    const { amount } = c.req.valid('json')
    const result = await unlockPhoto(c.var.user, c.req.valid('param').id, amount)
    return typeof result === 'object' ? c.json(result, 202) : sendJson(c, result, 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/subscriptions',
    tags,
    summary: 'Subscribe to a creator, or resume a cancelled subscription',
    ...requireUserAnd(requireWriteAccess),
    request: jsonBody(SubscribeRequest),
    responses: {
      200: jsonResponse(SubscribeResponse, 'You were already subscribed: nothing was charged'),
      201: jsonResponse(SubscribeResponse, 'The first period is paid'),
      202: jsonResponse(CheckoutResponse, 'The checkout page for the first period'),
      503: purchaseFailed,
    },
  }),
  async (c) => {
    const result = await subscribe(c.var.user, c.req.valid('json'))
    if ('checkoutUrl' in result) return c.json(result, 202)
    if (!result.isNew) pushSubscriptionChangesInBackground()
    return sendJson(c, result.answer, result.isNew ? 201 : 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/subscriptions/{creatorId}',
    tags,
    summary:
      'Cancel your subscription to a creator at the end of the paid period, or immediately if no period is paid',
    ...requireUser,
    request: { params: z.object({ creatorId: PathId }) },
    responses: { 204: { description: 'The subscription will not be renewed' } },
  }),
  async (c) => {
    await cancelSubscription(c.var.user, c.req.valid('param').creatorId)
    pushSubscriptionChangesInBackground()
    return c.body(null, 204)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/subscriptions',
    tags,
    summary: 'List your current and past subscriptions, newest first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Subscription), 'A page of subscriptions') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.subscriptions)
    return sendPage(c, await listSubscriptions(c.var.user, range))
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/creator-pro',
    tags,
    summary: 'Get your Creator Pro plan',
    ...requireUser,
    responses: { 200: jsonResponse(CreatorPro, 'The price, and your plan') },
  }),
  async (c) => c.json(await readCreatorPro(c.var.user), 200),
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/creator-pro',
    tags,
    summary: 'Upgrade to Creator Pro, or resume a cancelled plan',
    ...requireUser,
    responses: {
      200: jsonResponse(CreatorPro, 'You already had the plan: nothing was charged'),
      201: jsonResponse(CreatorPro, 'The first month is paid'),
      202: jsonResponse(CheckoutResponse, 'The checkout page for the first month'),
      503: purchaseFailed,
    },
  }),
  async (c) => {
    const result = await upgradeToCreatorPro(c.var.user)
    if ('checkoutUrl' in result) return c.json(result, 202)
    if (!result.isNew) pushSubscriptionChangesInBackground()
    return c.json(result.answer, result.isNew ? 201 : 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/creator-pro',
    tags,
    summary: 'Cancel Creator Pro at the end of the paid month, or immediately if no month is paid',
    ...requireUser,
    responses: { 204: { description: 'The plan will not be renewed' } },
  }),
  async (c) => {
    await cancelCreatorPro(c.var.user)
    pushSubscriptionChangesInBackground()
    return c.body(null, 204)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/billing/portal',
    tags,
    summary: 'Create a link to the payment provider’s page where you manage your subscriptions',
    ...requireUser,
    responses: { 200: jsonResponse(PortalResponse, 'The link, which is valid for a short time') },
  }),
  async (c) => {
    const { user } = c.var
    await requireSession(user)
    await consumeBillingPortalLimit(user)
    const url = await paymentProvider?.hostedCheckout?.createPortalUrl(user.userId)
    if (!url) throw notFound("You don't have a billing page yet.")
    return c.json({ url }, 200)
  },
)

const maxWebhookBytes = 512 * 1024

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/payments/webhook',
    tags,
    summary: 'Receive a signed event from the payment provider; repeated events have no further effect',
    middleware: bodyLimit({
      maxSize: maxWebhookBytes,
      onError: () => {
        throw new ApiError(413, 'The request body is too large.')
      },
    }),
    responses: {
      200: jsonResponse(z.object({ received: z.literal(true) }), 'The event was handled'),
    },
  }),
  async (c) => {
    if (!paymentProvider?.hostedCheckout) throw notFound()
    // The raw body is passed on, because the signature covers every byte.
    await paymentProvider.hostedCheckout.receiveWebhook(
      await c.req.text(),
      c.req.header('stripe-signature') ?? '',
    )
    return c.json({ received: true as const }, 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/users/{id}/tip',
    tags,
    summary: 'Tip a creator; repeated requests with the same id charge once',
    ...requireUserAnd(requireWriteAccess),
    request: { params: IdParam, ...jsonBody(TipRequest) },
    responses: {
      200: jsonResponse(TipResponse, 'The tip was already paid'),
      201: jsonResponse(TipResponse, 'The tip is paid'),
      202: jsonResponse(CheckoutResponse, 'The checkout page for the tip; the result arrives later'),
      503: purchaseFailed,
    },
  }),
  async (c) => {
    const result = await tipCreator(c.var.user, c.req.valid('param').id, c.req.valid('json'))
    if ('checkoutUrl' in result) return c.json(result, 202)
    return c.json(result.answer, result.isNew ? 201 : 200)
  },
)

paymentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/tips/{id}',
    tags,
    summary: 'Get the state of one of your tips; it is pending until the payment provider reports the result',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(TipState, 'The tip') },
  }),
  async (c) => sendJson(c, await readTip(c.var.user, c.req.valid('param').id), 200),
)

paymentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{id}/subscription-offer',
    tags,
    summary:
      'Get the price of a subscription to a creator, the longer periods on offer, and the number of posts that it unlocks',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(SubscriptionOffer, 'The offer') },
  }),
  async (c) => sendJson(c, await readSubscriptionOffer(c.var.user, c.req.valid('param').id), 200),
)
