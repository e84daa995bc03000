import { createRoute, z } from '@hono/zod-openapi'
import { Count, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import {
  ChatMessage,
  Conversation,
  ConversationDetails,
  ConversationFilter,
  EditMessageRequest,
  LinkedPostAccess,
  MessagePhoto,
  MessageReaction,
  MessageSearchResult,
  ReactionsResponse,
  ReactRequest,
  SendMessageRequest,
  UserNote,
  UserNoteRequest,
} from '../contract/message.ts'
import { SearchQuery } from '../contract/search.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { ApiError } from '../http/errors.ts'
import { IdParam, PathId, pageRange, pathId } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { consumeSearchLimit } from '../rate-limits.ts'
import * as queries from './queries.ts'
import * as threadQueries from './thread-queries.ts'

const tags = ['Messages']

const OtherUserParam = z.object({ otherUserId: PathId })

const ConversationQuery = PageQuery.extend({ filter: ConversationFilter.optional() })

const MessageSearchQuery = PageQuery.extend({ q: SearchQuery.shape.q })

/** At most one of the parameters other than `limit` may be given. `cursor` is an alias of `before`. */
const ThreadQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
  before: PathId.optional(),
  cursor: PathId.optional(),
  after: PathId.optional(),
  around: PathId.optional(),
  changedAfter: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})

/** `cursor` is the id of the message with the last photo of the previous page. */
const PhotosQuery = ThreadQuery.pick({ limit: true, cursor: true })

export const messageRoutes = createRouter()

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/conversations',
    tags,
    summary: 'List your conversations, most recent first',
    description:
      'With `filter`, lists only those with unread messages, those that others started and you have not replied to, or those with your subscribers.',
    ...requireUser,
    request: { query: ConversationQuery },
    responses: { 200: jsonResponse(z.array(Conversation), 'A page of conversations') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.conversations)
    return sendPage(c, await queries.listConversations(c.var.user, range, query.filter))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/unread-count',
    tags,
    summary: 'Count your unread messages. Also updates the time you were last seen',
    ...requireUser,
    responses: { 200: jsonResponse(Count, 'The number of unread messages') },
  }),
  async (c) => c.json(await queries.countUnreadMessages(c.var.user), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/search',
    tags,
    summary: 'Search the messages in your conversations, ignoring case and accents, most recent first',
    ...requireUser,
    request: { query: MessageSearchQuery },
    responses: {
      200: jsonResponse(z.array(MessageSearchResult), 'A page of messages, empty if `q` is empty'),
    },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.messageSearchResults)
    if (query.q === '') return sendPage<MessageSearchResult>(c, { items: '[]', next: null })
    await consumeSearchLimit(c.var.user, c.req.raw.headers)
    return sendPage(c, await queries.searchMessages(c.var.user, query.q, range))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/mark-all-read',
    tags,
    summary: 'Mark all conversations as read',
    ...requireUser,
    responses: { 200: jsonResponse(Count, 'The number of messages that are still unread') },
  }),
  async (c) => c.json(await queries.markAllConversationsRead(c.var.user), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{id}',
    tags,
    summary: 'List the messages with another user, whose id is `id`, oldest first',
    description:
      'Returns the newest 50 messages, or those selected by one of `before` (alias `cursor`), `after`, `around` (25 messages before the given message, the message itself and 24 after it) and `changedAfter` (messages with a higher `version`, in order of `version`). The list is empty if the given message is not in this conversation. Send `X-Next-Cursor` back in the parameter you used; if you used `around` or none of them, send it as `before`.',
    ...requireUser,
    request: { params: IdParam, query: ThreadQuery },
    responses: { 200: jsonResponse(z.array(ChatMessage), 'The messages') },
  }),
  async (c) => {
    const { limit = limits.page.messages, ...positions } = c.req.valid('query')
    if (Object.values(positions).filter((position) => position !== undefined).length > 1) {
      throw new ApiError(400, 'Use only one of before, cursor, after, around and changedAfter.')
    }
    const { before, cursor, after, around, changedAfter } = positions
    const thread = { caller: c.var.user, otherUserId: c.req.valid('param').id }
    if (after !== undefined)
      return sendPage(c, await threadQueries.listMessagesAfter(thread, { limit, after }))
    if (around !== undefined)
      return sendPage(c, await threadQueries.listMessagesAround(thread, { limit, around }))
    if (changedAfter !== undefined) {
      return sendPage(c, await threadQueries.listMessageChanges(thread, { limit, changedAfter }))
    }
    return sendPage(c, await threadQueries.listMessagesBefore(thread, { limit, before: before ?? cursor }))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{otherUserId}/details',
    tags,
    summary: 'Get your relationship with another user, and the latest photos of your conversation',
    ...requireUser,
    request: { params: OtherUserParam },
    responses: { 200: jsonResponse(ConversationDetails, 'The details') },
  }),
  async (c) => {
    const thread = { caller: c.var.user, otherUserId: c.req.valid('param').otherUserId }
    return sendJson(c, await threadQueries.readDetails(thread), 200)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'put',
    path: '/messages/{otherUserId}/note',
    tags,
    summary: 'Set your private note about another user, which only you can read. Blank text deletes it',
    ...requireUser,
    request: { params: OtherUserParam, ...jsonBody(UserNoteRequest) },
    responses: { 200: jsonResponse(UserNote, 'Your note') },
  }),
  async (c) => {
    const thread = { caller: c.var.user, otherUserId: c.req.valid('param').otherUserId }
    return c.json(await threadQueries.setNote(thread, c.req.valid('json')), 200)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{otherUserId}/photos',
    tags,
    summary: 'List the photos in the conversation with another user, newest first',
    ...requireUser,
    request: { params: OtherUserParam, query: PhotosQuery },
    responses: { 200: jsonResponse(z.array(MessagePhoto), 'A page of photos') },
  }),
  async (c) => {
    const { limit = limits.page.messagePhotos, cursor } = c.req.valid('query')
    const thread = { caller: c.var.user, otherUserId: c.req.valid('param').otherUserId }
    return sendPage(c, await threadQueries.listPhotos(thread, { limit, before: cursor }))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/messages/{otherUserId}/read',
    tags,
    summary: 'Mark the conversation with another user as read',
    ...requireUser,
    request: { params: OtherUserParam },
    responses: { 200: jsonResponse(Count, 'The number of messages that are still unread') },
  }),
  async (c) => c.json(await queries.markConversationRead(c.var.user, c.req.valid('param').otherUserId), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages',
    tags,
    summary: 'Send a message. Idempotent: a repeated `id` returns the stored message',
    ...requireUserAnd(async (user, c) => queries.requireCanSend(user, await c.req.json().catch(() => null))),
    request: jsonBody(SendMessageRequest),
    responses: {
      201: jsonResponse(ChatMessage, 'The new message'),
      200: jsonResponse(ChatMessage, 'The message that is already stored under this id'),
    },
  }),
  async (c) => {
    const { created, item } = await queries.sendMessage(c.var.user, c.req.valid('json'))
    return created ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/messages/{id}',
    tags,
    summary: 'Edit one of your own messages, within 15 minutes of sending it',
    ...requireUserAnd((user, c) => queries.requireCanEditMessage(user, pathId(c))),
    request: { params: IdParam, ...jsonBody(EditMessageRequest) },
    responses: { 200: jsonResponse(ChatMessage, 'The edited message') },
  }),
  async (c) => {
    const { content } = c.req.valid('json')
    return sendJson(c, await queries.editMessage(c.var.user, c.req.valid('param').id, content), 200)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/messages/{id}',
    tags,
    summary: 'Delete one of your own messages for both users. A placeholder remains',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The message was deleted' } },
  }),
  async (c) => {
    await queries.deleteMessage(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{id}/reactions',
    tags,
    summary: 'List the reactions to a message, oldest first',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(z.array(MessageReaction), 'The reactions, each with its user') },
  }),
  async (c) => sendJson(c, await queries.listReactions(c.var.user, c.req.valid('param').id), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{id}/linked-posts/{postId}',
    tags,
    summary: 'See whether the receiver of your message has access to your premium post that it links to',
    ...requireUser,
    request: { params: IdParam.extend({ postId: PathId }) },
    responses: { 200: jsonResponse(LinkedPostAccess, "The receiver's access") },
  }),
  async (c) => {
    const { id, postId } = c.req.valid('param')
    return c.json(await queries.readLinkedPostAccess(c.var.user, id, postId), 200)
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/messages/{id}/reactions',
    tags,
    summary: 'React to a message, or remove your reaction',
    ...requireUserAnd((user, c) => queries.requireCanReact(user, pathId(c))),
    request: { params: IdParam, ...jsonBody(ReactRequest) },
    responses: { 200: jsonResponse(ReactionsResponse, 'All reactions to the message') },
  }),
  async (c) => {
    const { emoji } = c.req.valid('json')
    return sendJson(c, await queries.toggleReaction(c.var.user, c.req.valid('param').id, emoji), 200)
  },
)
