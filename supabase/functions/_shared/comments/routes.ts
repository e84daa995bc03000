import { createRoute, z } from '@hono/zod-openapi'
import { Comment, CommentSort, CreateCommentRequest, LinkedComment } from '../contract/comment.ts'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { LikeResponse } from '../contract/post.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { IdParam, pageRange, pathId } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import * as queries from './queries.ts'

const tags = ['Comments']

const CommentsQuery = PageQuery.extend({ sort: CommentSort.optional() })

export const commentRoutes = createRouter()

commentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/{id}/comments',
    tags,
    summary: 'List the comments on a post, newest first by default, with at most one reply each',
    description: 'With `sort=top`, the comments with the most likes come first.',
    request: { params: IdParam, query: CommentsQuery },
    responses: { 200: jsonResponse(z.array(Comment), 'A page of comments') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.comments)
    return sendPage(c, await queries.listComments(c.var.caller, c.req.valid('param').id, range, query.sort))
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/comments',
    tags,
    summary:
      'Comment on a post, or reply to a comment. Idempotent: a repeated `id` returns the stored comment',
    ...requireUserAnd((user, c) => queries.requireCommentAccess(user, pathId(c))),
    request: { params: IdParam, ...jsonBody(CreateCommentRequest) },
    responses: {
      201: jsonResponse(Comment, 'The new comment'),
      200: jsonResponse(Comment, 'The comment that is already stored under this id'),
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    const { created, item } = await queries.createComment(c.var.user, id, c.req.valid('json'))
    return created ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/comments/{id}/replies',
    tags,
    summary: 'List the replies to a comment, oldest first',
    request: { params: IdParam, query: PageQuery },
    responses: { 200: jsonResponse(z.array(Comment), 'A page of replies') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.comments)
    return sendPage(c, await queries.listReplies(c.var.caller, c.req.valid('param').id, range))
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/comments/{id}',
    tags,
    summary: 'Get a comment and, for a reply, the comment that it replies to',
    request: { params: IdParam },
    responses: { 200: jsonResponse(LinkedComment, 'The comment') },
  }),
  async (c) => c.json(await queries.readComment(c.var.caller, c.req.valid('param').id), 200),
)

commentRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/comments/{id}',
    tags,
    summary: 'Delete your own comment, or a comment on your post, with its replies',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The comment was deleted' } },
  }),
  async (c) => {
    await queries.deleteComment(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

commentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/comments/{id}/like',
    tags,
    summary: 'Like a comment, or remove your like',
    ...requireUser,
    request: { params: IdParam },
    responses: {
      200: jsonResponse(LikeResponse, 'Whether you now like the comment, and its number of likes'),
    },
  }),
  async (c) => c.json(await queries.toggleLike(c.var.user, c.req.valid('param').id), 200),
)
