import { createRoute, z } from '@hono/zod-openapi'
import { Count, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { ChatMessage, Conversation, FoundMessage } from '../contract/message.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passPage } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { clientAddress } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import { networkOf } from '../http/network.ts'
import { IdParam, PathId } from '../http/params.ts'
import { takeSearch } from '../limits/queries.ts'
import { countUnread, markAllRead, markRead } from './counts.ts'
import { listConversations } from './lists.ts'
import { SearchQuery, searchMessages } from './search.ts'
import { readAround, readBack, readChanges, readForth } from './thread.ts'

const tags = ['Messages']
const OtherUser = z.object({ otherUserId: PathId })

/** One place to read from at most; `before` and `cursor` mean the same. */
const ThreadQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
  before: PathId.optional(),
  cursor: PathId.optional(),
  after: PathId.optional(),
  around: PathId.optional(),
  changedAfter: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
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
    return passPage(c, await listConversations(c.var.user, range))
  },
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/unread-count',
    tags,
    summary: 'How many messages you have not read; says that you are here, too',
    ...forPeople,
    responses: { 200: answers(Count, 'The number') },
  }),
  async (c) => c.json(await countUnread(c.var.user), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/search',
    tags,
    summary: 'Messages of your conversations that contain a text, accents and case aside, the latest first',
    ...forPeople,
    request: { query: SearchQuery },
    responses: { 200: answers(z.array(FoundMessage), 'A page of messages; empty for an empty text') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = rangeOf(query, limits.page.foundMessages)
    if (query.q === '') return passPage<FoundMessage>(c, { items: '[]', next: null })
    await takeSearch(c.var.user, networkOf(clientAddress(c.req.raw.headers)))
    return passPage(c, await searchMessages(c.var.user, query.q, range))
  },
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
  async (c) => c.json(await markAllRead(c.var.user), 200),
)

messageRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/messages/{id}',
    tags,
    summary:
      'The thread with the person of this id, oldest first: the newest 50, those before, after or around one message, or what has changed',
    description:
      'At most one of `before` (or `cursor`), `after`, `around` (25 before the message, itself, 24 after it) and `changedAfter` (messages whose `version` is higher, by version). A message that is not in the thread leads to an empty list. `X-Next-Cursor` is to be sent again as what was asked by; after `around`, and after none of them, as `before`.',
    ...forPeople,
    request: { params: IdParam, query: ThreadQuery },
    responses: { 200: answers(z.array(ChatMessage), 'A part of the thread') },
  }),
  async (c) => {
    const { limit = limits.page.messages, ...places } = c.req.valid('query')
    if (Object.values(places).filter((place) => place !== undefined).length > 1) {
      throw new ApiError(400, 'Please ask from one place only.')
    }
    const { before, cursor, after, around, changedAfter } = places
    const two = { caller: c.var.user, other: c.req.valid('param').id }
    if (after !== undefined) return passPage(c, await readForth(two, { limit, after }))
    if (around !== undefined) return passPage(c, await readAround(two, { limit, around }))
    if (changedAfter !== undefined) return passPage(c, await readChanges(two, { limit, changedAfter }))
    return passPage(c, await readBack(two, { limit, before: before ?? cursor }))
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
  async (c) => c.json(await markRead(c.var.user, c.req.valid('param').otherUserId), 200),
)
