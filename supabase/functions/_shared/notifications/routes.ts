import { createRoute, z } from '@hono/zod-openapi'
import { Count, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { Notification, NotificationFilter, UnreadNotifications } from '../contract/notification.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { IdParam, pageRange } from '../http/params.ts'
import { jsonResponse, sendPage } from '../http/responses.ts'
import * as queries from './queries.ts'

const tags = ['Notifications']

const NotificationQuery = PageQuery.extend({ filter: NotificationFilter.optional() })
const UnreadCountQuery = z.object({ byFilter: z.literal('true').optional() })

export const notificationRoutes = createRouter()

notificationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/notifications',
    tags,
    summary: 'List your notifications, newest first, grouped if you have turned grouping on',
    description:
      'With `filter`, lists only the notifications about comments, mentions, likes, followers or payments.',
    ...requireUser,
    request: { query: NotificationQuery },
    responses: { 200: jsonResponse(z.array(Notification), 'A page of notifications') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.notifications)
    return sendPage(c, await queries.listNotifications(c.var.user, range, query.filter))
  },
)

notificationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/notifications/unread-count',
    tags,
    summary: 'Count your unread notifications',
    description: 'With `byFilter=true`, also counts those that each filter of the list selects.',
    ...requireUser,
    request: { query: UnreadCountQuery },
    responses: { 200: jsonResponse(UnreadNotifications, 'The number of unread notifications') },
  }),
  async (c) => {
    const includeByFilter = c.req.valid('query').byFilter === 'true'
    return c.json(await queries.countUnreadNotifications(c.var.user, includeByFilter), 200)
  },
)

notificationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/notifications/read-all',
    tags,
    summary: 'Mark all your notifications as read',
    ...requireUser,
    responses: { 200: jsonResponse(Count, 'The number of notifications that are still unread') },
  }),
  async (c) => c.json(await queries.markAllNotificationsRead(c.var.user), 200),
)

notificationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/notifications/{id}/read',
    tags,
    summary: 'Mark a notification as read, with its whole group if you have turned grouping on',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(Count, 'The number of notifications that are still unread') },
  }),
  async (c) => c.json(await queries.markNotificationRead(c.var.user, c.req.valid('param').id), 200),
)
