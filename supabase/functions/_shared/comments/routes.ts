import { createRoute, z } from '@hono/zod-openapi'
import { Comment, CreateCommentRequest } from '../contract/comment.ts'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { IdParam, idIn } from '../http/params.ts'
import * as queries from './queries.ts'

const tags = ['Comments']

export const commentRoutes = createRouter()

commentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/{id}/comments',
    tags,
    summary: 'Comments on a post, the newest first, without replies',
    request: { params: IdParam, query: PageQuery },
    responses: { 200: answers(z.array(Comment), 'A page of comments') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.comments)
    return passPage(c, await queries.listComments(c.var.caller, c.req.valid('param').id, range))
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/comments',
    tags,
    summary: 'Comment on a post, or reply to a comment; the same id again stores nothing',
    ...forPeopleBut((user, c) => queries.requireReadable(user, idIn(c))),
    request: { params: IdParam, ...takes(CreateCommentRequest) },
    responses: {
      201: answers(Comment, 'The new comment'),
      200: answers(Comment, 'The comment stored under this id before'),
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    const { created, item } = await queries.createComment(c.var.user, id, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/comments/{id}/replies',
    tags,
    summary: 'Replies to a comment, the oldest first',
    request: { params: IdParam, query: PageQuery },
    responses: { 200: answers(z.array(Comment), 'A page of replies') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.comments)
    return passPage(c, await queries.listReplies(c.var.caller, c.req.valid('param').id, range))
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/comments/{id}',
    tags,
    summary: 'Delete your own comment, or one on your post, with its replies',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It is gone' } },
  }),
  async (c) => {
    await queries.deleteComment(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)
