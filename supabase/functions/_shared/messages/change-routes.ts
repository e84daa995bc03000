import { createRoute, z } from '@hono/zod-openapi'
import {
  ChatMessage,
  EditMessageRequest,
  MessageReaction,
  ReactionsAnswer,
  ReactRequest,
  SendMessageRequest,
} from '../contract/message.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { IdParam, idIn } from '../http/params.ts'
import { deleteMessage, editMessage, requireEdit } from './changes.ts'
import { listReactions, requireReact, toggleReaction } from './reactions.ts'
import { requireSend, sendMessage } from './send.ts'

const tags = ['Messages']

/** Sending messages, and what happens to one afterwards. */
export const messageChangeRoutes = createRouter()

messageChangeRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages',
    tags,
    summary: 'Send a message; the same id again stores nothing',
    ...forPeopleBut(async (user, c) => requireSend(user, await c.req.json().catch(() => null))),
    request: takes(SendMessageRequest),
    responses: {
      201: answers(ChatMessage, 'The new message'),
      200: answers(ChatMessage, 'The message stored under this id before'),
    },
  }),
  async (c) => {
    const { created, item } = await sendMessage(c.var.user, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

messageChangeRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/messages/{id}',
    tags,
    summary: 'Change what one of your own messages says, within 15 minutes',
    ...forPeopleBut((user, c) => requireEdit(user, idIn(c))),
    request: { params: IdParam, ...takes(EditMessageRequest) },
    responses: { 200: answers(ChatMessage, 'The message as it is now') },
  }),
  async (c) => {
    const { content } = c.req.valid('json')
    return passJson(c, await editMessage(c.var.user, c.req.valid('param').id, content), 200)
  },
)

messageChangeRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/messages/{id}',
    tags,
    summary: 'Delete one of your own messages for both of you; its place stays',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It is gone' } },
  }),
  async (c) => {
    await deleteMessage(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

messageChangeRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{id}/reactions',
    tags,
    summary: 'Who reacted to a message how, the oldest first',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(z.array(MessageReaction), 'Its reactions') },
  }),
  async (c) => passJson(c, await listReactions(c.var.user, c.req.valid('param').id), 200),
)

messageChangeRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/{id}/reactions',
    tags,
    summary: 'React to a message, or take that reaction back',
    ...forPeopleBut((user, c) => requireReact(user, idIn(c))),
    request: { params: IdParam, ...takes(ReactRequest) },
    responses: { 200: answers(ReactionsAnswer, 'All its reactions after it') },
  }),
  async (c) => {
    const { emoji } = c.req.valid('json')
    return passJson(c, await toggleReaction(c.var.user, c.req.valid('param').id, emoji), 200)
  },
)
