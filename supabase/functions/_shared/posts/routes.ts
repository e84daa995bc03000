import { createRoute } from '@hono/zod-openapi'
import type { HonoRequest } from 'hono'
import { Count } from '../contract/common.ts'
import {
  CreatePostRequest,
  EditPostRequest,
  LikeAnswer,
  NewCountQuery,
  Post,
  SaveAnswer,
} from '../contract/post.ts'
import { isTime } from '../db/page.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { invalidField } from '../http/errors.ts'
import { IdParam, idIn } from '../http/params.ts'
import * as queries from './queries.ts'

const tags = ['Posts']

export const postRoutes = createRouter()

/** Whether a body that was refused was to be a premium post. */
async function asksForMoney(request: HonoRequest): Promise<boolean> {
  const body: unknown = await request.json().catch(() => null)
  return typeof body === 'object' && body !== null && 'isPremium' in body && body.isPremium === true
}

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts',
    tags,
    summary: 'Publish a post; the same id again stores nothing',
    ...forPeopleBut(async (user, c) => queries.requirePublish(user, await asksForMoney(c.req))),
    request: takes(CreatePostRequest),
    responses: {
      201: answers(Post, 'The new post'),
      200: answers(Post, 'The post stored under this id before'),
    },
  }),
  async (c) => {
    const { created, item } = await queries.createPost(c.var.user, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/new-count',
    tags,
    summary: 'How many posts of others are newer than what you have, 99 at most',
    ...forPeople,
    request: { query: NewCountQuery },
    responses: { 200: answers(Count, 'Their number') },
  }),
  async (c) => {
    const { since } = c.req.valid('query')
    if (!isTime(new Date(since).toISOString())) throw invalidField('since', 'This is not a time.')
    return c.json(await queries.countNewPosts(c.var.user, since), 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/{id}',
    tags,
    summary: 'One post',
    request: { params: IdParam },
    responses: { 200: answers(Post, 'The post') },
  }),
  async (c) => passJson(c, await queries.readPost(c.var.caller, c.req.valid('param').id), 200),
)

postRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/posts/{id}',
    tags,
    summary: 'Change the text, teaser, description or price of one of your own posts',
    ...forPeopleBut((user, c) => queries.requireAuthor(user, idIn(c))),
    request: { params: IdParam, ...takes(EditPostRequest) },
    responses: { 200: answers(Post, 'The post as it is now') },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return passJson(c, await queries.editPost(c.var.user, id, c.req.valid('json')), 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/posts/{id}',
    tags,
    summary: 'Delete one of your own posts',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It is gone' } },
  }),
  async (c) => {
    await queries.deletePost(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/like',
    tags,
    summary: 'Like a post, or take the like back',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(LikeAnswer, 'The state after it') },
  }),
  async (c) => c.json(await queries.toggleLike(c.var.user, c.req.valid('param').id), 200),
)

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/save',
    tags,
    summary: 'Save a post, or take that back',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(SaveAnswer, 'The state after it') },
  }),
  async (c) => c.json(await queries.toggleSave(c.var.user, c.req.valid('param').id), 200),
)
