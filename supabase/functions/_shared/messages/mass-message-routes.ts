import { createRoute } from '@hono/zod-openapi'
import { MassMessages, SendMassMessageRequest, WelcomeMessage } from '../contract/mass-message.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson } from '../http/responses.ts'
import * as massMessages from './mass-messages.ts'
import * as welcomeMessages from './welcome-messages.ts'

const tags = ['Messages']

/** These routes must be registered before `/messages/{id}`, which would also match them. */
export const massMessageRoutes = createRouter()

massMessageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/mass',
    tags,
    summary: 'Get the number of subscribers you can message, and your latest mass messages',
    ...requireUser,
    responses: { 200: jsonResponse(MassMessages, 'Your subscriber counts and latest mass messages') },
  }),
  async (c) => sendJson(c, await massMessages.listMassMessages(c.var.user), 200),
)

massMessageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/mass',
    tags,
    summary: 'Message all of your subscribers. Idempotent: a repeated `id` creates nothing',
    description:
      'For creators. Each subscriber whom you can message gets the message in their own conversation with you. The messages are sent in the background. Only one message can be sent at a time, and at most 3 in 24 hours.',
    ...requireUserAnd(massMessages.requireCanSendMassMessages),
    request: jsonBody(SendMassMessageRequest),
    responses: {
      201: jsonResponse(MassMessages, 'Your mass messages, with the new one'),
      200: jsonResponse(MassMessages, 'Your mass messages; one is already stored under this id'),
    },
  }),
  async (c) => {
    const { created, item } = await massMessages.createMassMessage(c.var.user, c.req.valid('json'))
    return created ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)

massMessageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/mass/{id}/stop',
    tags,
    summary: 'Stop a mass message that is being sent',
    description: 'Subscribers who have already received the message keep it.',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(MassMessages, 'Your mass messages') },
  }),
  async (c) => sendJson(c, await massMessages.stopMassMessage(c.var.user, c.req.valid('param').id), 200),
)

massMessageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/welcome',
    tags,
    summary: 'Get your welcome message for new subscribers',
    ...requireUser,
    responses: { 200: jsonResponse(WelcomeMessage, 'Your welcome message') },
  }),
  async (c) => c.json(await welcomeMessages.readWelcomeMessage(c.var.user), 200),
)

massMessageRoutes.openapi(
  createRoute({
    method: 'put',
    path: '/messages/welcome',
    tags,
    summary: 'Set your welcome message for new subscribers. Blank text turns it off',
    description:
      'For creators. Each new subscriber gets the message once, as a message from you, after the first payment. A user who subscribes again after their subscription ended gets it again.',
    ...requireUserAnd(massMessages.requireCanSendMassMessages),
    request: jsonBody(WelcomeMessage),
    responses: { 200: jsonResponse(WelcomeMessage, 'Your welcome message') },
  }),
  async (c) => c.json(await welcomeMessages.setWelcomeMessage(c.var.user, c.req.valid('json')), 200),
)
