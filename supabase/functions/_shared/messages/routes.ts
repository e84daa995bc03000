import { createRoute, z } from '@hono/zod-openapi'
import { Count, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { ChatMessage, Conversation, SendMessageRequest } from '../contract/message.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { PathId } from '../http/params.ts'
import * as queries from './queries.ts'

const tags = ['Messages']
const OtherUser = z.object({ otherUserId: PathId })

/** `before` and `cursor` mean the same: the id of a message, for those older than it. */
const ThreadQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
  before: PathId.optional(),
  cursor: PathId.optional(),
})

export const messageRoutes = createRouter()

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/conversations',
    tags,
    summary: 'Your conversations, the latest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Conversation), 'A page of conversations') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.conversations)
    return passPage(c, await queries.listConversations(c.var.user, range))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/unread-count',
    tags,
    summary: 'How many messages you have not read',
    ...forPeople,
    responses: { 200: answers(Count, 'The number') },
  }),
  async (c) => c.json(await queries.countUnread(c.var.user), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/mark-all-read',
    tags,
    summary: 'Mark every conversation read',
    ...forPeople,
    responses: { 200: answers(Count, 'How many messages are unread after it') },
  }),
  async (c) => c.json(await queries.markAllRead(c.var.user), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{otherUserId}',
    tags,
    summary: 'The thread with one person: oldest first, the newest 50, or those before one message',
    ...forPeople,
    request: { params: OtherUser, query: ThreadQuery },
    responses: { 200: answers(z.array(ChatMessage), 'A part of the thread') },
  }),
  async (c) => {
    const { limit = limits.page.messages, before, cursor } = c.req.valid('query')
    const { otherUserId } = c.req.valid('param')
    return passPage(c, await queries.readThread(c.var.user, otherUserId, { limit, before: before ?? cursor }))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages',
    tags,
    summary: 'Send a message; the same id again stores nothing',
    ...forPeople,
    request: takes(SendMessageRequest),
    responses: {
      201: answers(ChatMessage, 'The new message'),
      200: answers(ChatMessage, 'The message stored under this id before'),
    },
  }),
  async (c) => {
    const { created, item } = await queries.sendMessage(c.var.user, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/messages/{otherUserId}/read',
    tags,
    summary: 'Mark the thread with one person read',
    ...forPeople,
    request: { params: OtherUser },
    responses: { 200: answers(Count, 'How many messages are unread after it') },
  }),
  async (c) => c.json(await queries.markRead(c.var.user, c.req.valid('param').otherUserId), 200),
)
