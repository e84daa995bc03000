import { createRoute, z } from '@hono/zod-openapi'
import { Id, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { BlockAnswer, FollowAnswer, User, UserCard } from '../contract/user.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passPage } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam, PathId } from '../http/params.ts'
import * as relations from './relations.ts'

const tags = ['Following and blocking']
const list = (path: string, summary: string) => ({
  method: 'get' as const,
  path,
  tags,
  summary,
  ...forPeople,
  request: { query: PageQuery },
})
const Requester = z.object({ userId: PathId })

export const relationRoutes = createRouter()

relationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/users/{id}/follow',
    tags,
    summary: 'Follow somebody, ask to, or take either back',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(FollowAnswer, 'The relation after it') },
  }),
  async (c) => c.json(await relations.toggleFollow(c.var.user, c.req.valid('param').id), 200),
)

relationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{id}/followers',
    tags,
    summary: 'Who follows somebody',
    ...forPeople,
    request: { params: IdParam, query: PageQuery },
    responses: { 200: answers(z.array(User), 'A page of people') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.users)
    return passPage(c, await relations.listFollows(c.var.user, c.req.valid('param').id, 'followers', range))
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{id}/following',
    tags,
    summary: 'Whom somebody follows',
    ...forPeople,
    request: { params: IdParam, query: PageQuery },
    responses: { 200: answers(z.array(User), 'A page of people') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.users)
    return passPage(c, await relations.listFollows(c.var.user, c.req.valid('param').id, 'following', range))
  },
)

relationRoutes.openapi(
  createRoute({
    ...list('/user/following', 'Ids of the people you follow, the latest first'),
    responses: { 200: answers(z.array(Id), 'A page of ids') },
  }),
  async (c) =>
    passPage(c, await relations.listFollowingIds(c.var.user, rangeOf(c.req.valid('query'), limits.page.ids))),
)

relationRoutes.openapi(
  createRoute({
    ...list('/user/following-users', 'The people you follow, creators first'),
    responses: { 200: answers(z.array(User), 'A page of people') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.users)
    return passPage(c, await relations.listFollowingUsers(c.var.user, range))
  },
)

relationRoutes.openapi(
  createRoute({
    ...list('/user/follow-requests', 'Who asked to follow you and waits for an answer'),
    responses: { 200: answers(z.array(User), 'A page of people') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.users)
    return passPage(c, await relations.listFollowRequests(c.var.user, range))
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/user/follow-requests/{userId}/accept',
    tags,
    summary: 'Let somebody follow you who asked to',
    ...forPeople,
    request: { params: Requester },
    responses: { 204: { description: 'They follow you now' } },
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
    summary: 'Decline somebody’s request',
    ...forPeople,
    request: { params: Requester },
    responses: { 204: { description: 'The request is gone' } },
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
    summary: 'Block somebody',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(BlockAnswer, 'They are blocked') },
  }),
  async (c) => {
    await relations.block(c.var.user, c.req.valid('param').id)
    return c.json({ blocked: true }, 200)
  },
)

relationRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/users/{id}/block',
    tags,
    summary: 'Take a block back',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'They are not blocked by you' } },
  }),
  async (c) => {
    await relations.unblock(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

relationRoutes.openapi(
  createRoute({
    ...list('/user/blocked-users', 'Whom you have blocked, the latest first'),
    responses: { 200: answers(z.array(UserCard), 'A page of people') },
  }),
  async (c) =>
    passPage(c, await relations.listBlocked(c.var.user, rangeOf(c.req.valid('query'), limits.page.users))),
)
