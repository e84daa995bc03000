import { createRoute, z } from '@hono/zod-openapi'
import { Post } from '../contract/post.ts'
import { EditScheduledPostRequest, ScheduledPost } from '../contract/scheduled-post.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { IdParam, validTime } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson } from '../http/responses.ts'
import * as scheduledPosts from './scheduled-posts.ts'

const tags = ['Posts']

/** These routes must be registered before `/posts/{id}`, which would also match `/posts/scheduled`. */
export const scheduledPostRoutes = createRouter()

scheduledPostRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/scheduled',
    tags,
    summary: 'List your scheduled posts, earliest first. Not paginated, because there are at most 100',
    ...requireUser,
    responses: { 200: jsonResponse(z.array(ScheduledPost), 'Your scheduled posts') },
  }),
  async (c) => sendJson(c, await scheduledPosts.listScheduledPosts(c.var.user), 200),
)

scheduledPostRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/posts/scheduled/{id}',
    tags,
    summary: 'Edit one of your scheduled posts; omitted fields stay unchanged',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(EditScheduledPostRequest) },
    responses: { 200: jsonResponse(ScheduledPost, 'The edited post') },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    const changes = c.req.valid('json')
    validTime('publishAt', changes.publishAt)
    return sendJson(c, await scheduledPosts.editScheduledPost(c.var.user, id, changes), 200)
  },
)

scheduledPostRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/scheduled/{id}/publish',
    tags,
    summary:
      'Publish one of your scheduled posts now. Idempotent: a repeated call returns the published post',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(Post, 'The published post') },
  }),
  async (c) =>
    sendJson(c, await scheduledPosts.publishScheduledPost(c.var.user, c.req.valid('param').id), 200),
)

scheduledPostRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/posts/scheduled/{id}',
    tags,
    summary: 'Delete one of your scheduled posts',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The scheduled post was deleted' } },
  }),
  async (c) => {
    await scheduledPosts.deleteScheduledPost(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)
