import { createRoute, z } from '@hono/zod-openapi'
import { AutoDraft, AutoPostingState, PublishDraftRequest } from '../contract/auto-posting.ts'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { Post } from '../contract/post.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { discardDraft, listDrafts, publishDraft, readState, requirePublish } from './drafts.ts'

const tags = ['Auto-posting']

/** What a program writes in the caller's name, and what they say to it. */
export const autoPostRoutes = createRouter()

autoPostRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auto-posts',
    tags,
    summary: 'Whether a program posts in your name, how often, and when next',
    ...forPeople,
    responses: { 200: answers(AutoPostingState, 'How it stands') },
  }),
  async (c) => passJson(c, await readState(c.var.user), 200),
)

autoPostRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auto-posts/drafts',
    tags,
    summary: 'What was written for you to look at first, the newest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(AutoDraft), 'A page of drafts') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.autoDrafts)
    return passPage(c, await listDrafts(c.var.user, range))
  },
)

autoPostRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auto-posts/drafts/{id}/publish',
    tags,
    summary: 'Publish a draft, as it was written or as you changed it; again, it answers the same post',
    ...forPeopleBut(requirePublish),
    request: {
      params: IdParam,
      body: { required: false, content: { 'application/json': { schema: PublishDraftRequest } } },
    },
    responses: { 200: answers(Post, 'The post') },
  }),
  async (c) => {
    const { content } = c.req.valid('json')
    return passJson(c, await publishDraft(c.var.user, c.req.valid('param').id, content), 200)
  },
)

autoPostRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auto-posts/drafts/{id}',
    tags,
    summary: 'Discard a draft',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'Discarded' } },
  }),
  async (c) => {
    await discardDraft(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)
