import { createRoute, z } from '@hono/zod-openapi'
import { Count, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { Notification } from '../contract/notification.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passPage } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import * as queries from './queries.ts'

const tags = ['Notifications']

export const notificationRoutes = createRouter()

notificationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/notifications',
    tags,
    summary: 'Your notifications, the newest first: a group as one, unless you prefer none',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Notification), 'A page of notifications') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.notifications)
    return passPage(c, await queries.listNotifications(c.var.user, range))
  },
)

notificationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/notifications/unread-count',
    tags,
    summary: 'How many notifications you have not read',
    ...forPeople,
    responses: { 200: answers(Count, 'The number') },
  }),
  async (c) => c.json(await queries.countUnread(c.var.user), 200),
)

notificationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/notifications/read-all',
    tags,
    summary: 'Mark all your notifications read',
    ...forPeople,
    responses: { 200: answers(Count, 'How many notifications are unread after it') },
  }),
  async (c) => c.json(await queries.markAllRead(c.var.user), 200),
)

notificationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/notifications/{id}/read',
    tags,
    summary: 'Mark one notification read, and with it its group',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(Count, 'How many notifications are unread after it') },
  }),
  async (c) => c.json(await queries.markRead(c.var.user, c.req.valid('param').id), 200),
)
