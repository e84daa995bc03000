import { createRoute, z } from '@hono/zod-openapi'
import { Id, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import {
  BlockResponse,
  CreatorUpdate,
  FollowResponse,
  PostAlertsRequest,
  PostAlertsResponse,
  User,
  UserCard,
} from '../contract/user.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { IdParam, PathId, pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import * as relations from './relation-queries.ts'

const tags = ['Following and blocking']
const listRoute = (path: string, summary: string) => ({
  method: 'get' as const,
  path,
  tags,
  summary,
  ...requireUser,
  request: { query: PageQuery },
})
const FollowerParam = z.object({ userId: PathId })

export const relationRoutes = createRouter()

relationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/users/{id}/follow',
    tags,
    summary: 'Follow a user or request to follow them; call again to undo',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(FollowResponse, 'The new follow status') },
  }),
  async (c) => c.json(await relations.toggleFollow(c.var.user, c.req.valid('param').id), 200),
)

relationRoutes.openapi(
  createRoute({
    method: 'put',
    path: '/users/{id}/post-alerts',
    tags,
    summary: 'Set which new posts by a followed user you want to be notified about',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(PostAlertsRequest) },
    responses: { 200: jsonResponse(PostAlertsResponse, 'Your choice') },
  }),
  async (c) => {
    const { postAlerts } = c.req.valid('json')
    await relations.setPostAlerts(c.var.user, c.req.valid('param').id, postAlerts)
    return c.json({ postAlerts }, 200)
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{id}/followers',
    tags,
    summary: "List a user's followers",
    ...requireUser,
    request: { params: IdParam, query: PageQuery },
    responses: { 200: jsonResponse(z.array(User), 'A page of users') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.users)
    return sendPage(c, await relations.listFollows(c.var.user, c.req.valid('param').id, 'followers', range))
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{id}/following',
    tags,
    summary: 'List the users whom a user follows',
    ...requireUser,
    request: { params: IdParam, query: PageQuery },
    responses: { 200: jsonResponse(z.array(User), 'A page of users') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.users)
    return sendPage(c, await relations.listFollows(c.var.user, c.req.valid('param').id, 'following', range))
  },
)

relationRoutes.openapi(
  createRoute({
    ...listRoute('/user/following', 'List the ids of the users you follow, latest first'),
    responses: { 200: jsonResponse(z.array(Id), 'A page of ids') },
  }),
  async (c) =>
    sendPage(
      c,
      await relations.listFollowingIds(c.var.user, pageRange(c.req.valid('query'), limits.page.ids)),
    ),
)

relationRoutes.openapi(
  createRoute({
    ...listRoute('/user/following-users', 'List the users you follow, creators first'),
    responses: { 200: jsonResponse(z.array(User), 'A page of users') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.users)
    return sendPage(c, await relations.listFollowingUsers(c.var.user, range))
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/creator-updates',
    tags,
    summary: 'List the creators you follow or subscribe to who posted in the last 14 days, newest post first',
    ...requireUser,
    request: { query: PageQuery.pick({ limit: true }) },
    responses: {
      200: jsonResponse(z.array(CreatorUpdate), 'The creators, each with their newest post'),
    },
  }),
  async (c) => {
    const { limit = limits.creatorUpdates } = c.req.valid('query')
    return sendJson(c, await relations.listCreatorUpdates(c.var.user, limit), 200)
  },
)

relationRoutes.openapi(
  createRoute({
    ...listRoute('/user/follow-requests', 'List the users with a pending request to follow you'),
    responses: { 200: jsonResponse(z.array(User), 'A page of users') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.users)
    return sendPage(c, await relations.listFollowRequests(c.var.user, range))
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/user/follow-requests/{userId}/accept',
    tags,
    summary: 'Accept a follow request',
    ...requireUser,
    request: { params: FollowerParam },
    responses: { 204: { description: 'The user now follows you' } },
  }),
  async (c) => {
    await relations.acceptFollowRequest(c.var.user, c.req.valid('param').userId)
    return c.body(null, 204)
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/user/follow-requests/{userId}/decline',
    tags,
    summary: 'Decline a follow request',
    ...requireUser,
    request: { params: FollowerParam },
    responses: { 204: { description: 'The request was declined' } },
  }),
  async (c) => {
    await relations.declineFollowRequest(c.var.user, c.req.valid('param').userId)
    return c.body(null, 204)
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/users/{id}/block',
    tags,
    summary: 'Block a user',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(BlockResponse, 'The user is blocked') },
  }),
  async (c) => {
    await relations.blockUser(c.var.user, c.req.valid('param').id)
    return c.json({ blocked: true }, 200)
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/users/{id}/block',
    tags,
    summary: 'Unblock a user',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The user is no longer blocked' } },
  }),
  async (c) => {
    await relations.unblockUser(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

relationRoutes.openapi(
  createRoute({
    ...listRoute('/user/blocked-users', 'List the users you have blocked, latest first'),
    responses: { 200: jsonResponse(z.array(UserCard), 'A page of users') },
  }),
  async (c) =>
    sendPage(
      c,
      await relations.listBlockedUsers(c.var.user, pageRange(c.req.valid('query'), limits.page.users)),
    ),
)
