import { createRoute, z } from '@hono/zod-openapi'
import { AdminUser } from '../contract/admin.ts'
import {
  AiKey,
  AiKeyRequest,
  AiKeyReveal,
  AutoDraft,
  AutoPostingState,
  AutoPostingToday,
  AutoPreview,
  AutoRound,
  AutoRun,
  AutoRunsQuery,
  PublishDraftRequest,
  ToggleAutoPostingRequest,
} from '../contract/auto-posting.ts'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { Post } from '../contract/post.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { IdParam, pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, optionalJsonBody, sendJson, sendPage } from '../http/responses.ts'
import { requireCanPublish } from '../posts/queries.ts'
import { readKey, removeKey, revealKey, setKey } from './ai-key.ts'
import {
  discardDraft,
  listDrafts,
  listRuns,
  publishDraft,
  readState,
  readToday,
  toggleAutoPosting,
} from './queries.ts'
import { previewPost, runRound } from './runner.ts'

const tags = ['Auto-posting']
const adminTags = ['Admin']

export const autoPostingRoutes = createRouter()

autoPostingRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/openai-key',
    tags: adminTags,
    summary: 'Get the masked API key of the AI provider; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(AiKey, 'The masked key, if there is one') },
  }),
  async (c) => c.json(await readKey(c.var.user), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/openai-key',
    tags: adminTags,
    summary: 'Set or replace the API key of the AI provider; admins only; audited',
    ...requireUser,
    request: jsonBody(AiKeyRequest),
    responses: { 200: jsonResponse(AiKey, 'The masked key') },
  }),
  async (c) => c.json(await setKey(c.var.user, c.req.valid('json').apiKey), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/admin/openai-key',
    tags: adminTags,
    summary: 'Remove the API key of the AI provider; admins only; audited',
    ...requireUser,
    responses: { 204: { description: 'Removed, or there was none' } },
  }),
  async (c) => {
    await removeKey(c.var.user)
    return c.body(null, 204)
  },
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/openai-key/reveal',
    tags: adminTags,
    summary: 'Get the full API key of the AI provider; admins only; audited',
    ...requireUser,
    responses: { 200: jsonResponse(AiKeyReveal, 'The key') },
  }),
  async (c) => c.json(await revealKey(c.var.user), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/trigger-auto-posting',
    tags: adminTags,
    summary:
      'Post now for creators who have agreed to auto-posting and have it turned on, within the daily limits; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(AutoRound, 'The result for each creator') },
  }),
  async (c) => {
    const runs = (await runRound()).map(({ userId, outcome, postId, draftId, detail }) => ({
      userId,
      outcome,
      ...(postId ? { postId } : {}),
      ...(draftId ? { draftId } : {}),
      ...(detail ? { detail } : {}),
    }))
    return c.json({ runs }, 200)
  },
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/auto-posting/runs',
    tags: adminTags,
    summary: 'List the auto-posting runs, newest first; admins only',
    ...requireUser,
    request: { query: AutoRunsQuery },
    responses: { 200: jsonResponse(z.array(AutoRun), 'A page of runs') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return sendPage(c, await listRuns(c.var.user, query.userId, pageRange(query, limits.page.autoRuns)))
  },
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/auto-posting/today',
    tags: adminTags,
    summary: 'Get today’s usage of the post and cost limits; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(AutoPostingToday, 'Today’s usage') },
  }),
  async (c) => c.json(await readToday(c.var.user), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/toggle-auto-posting',
    tags: adminTags,
    summary: 'Turn auto-posting on or off for a creator, who is asked to agree; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(ToggleAutoPostingRequest) },
    responses: { 200: jsonResponse(AdminUser, 'The changed user') },
  }),
  async (c) =>
    sendJson(c, await toggleAutoPosting(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/auto-posting-preview',
    tags: adminTags,
    summary: 'Write a sample post for a creator without publishing it; admins only',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(AutoPreview, 'The sample') },
  }),
  async (c) => c.json(await previewPost(c.var.user, c.req.valid('param').id), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auto-posts',
    tags,
    summary: 'Get your auto-posting settings, and when the next post is due',
    ...requireUser,
    responses: { 200: jsonResponse(AutoPostingState, 'Your auto-posting state') },
  }),
  async (c) => sendJson(c, await readState(c.var.user), 200),
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auto-posts/drafts',
    tags,
    summary: 'List the drafts that AI wrote for you, newest first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(AutoDraft), 'A page of drafts') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.autoDrafts)
    return sendPage(c, await listDrafts(c.var.user, range))
  },
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auto-posts/drafts/{id}/publish',
    tags,
    summary: 'Publish a draft as written or as you edited it; repeating the call returns the same post',
    ...requireUserAnd((user) => requireCanPublish(user, false)),
    request: { params: IdParam, ...optionalJsonBody(PublishDraftRequest) },
    responses: { 200: jsonResponse(Post, 'The post') },
  }),
  async (c) => {
    const { content } = c.req.valid('json')
    return sendJson(c, await publishDraft(c.var.user, c.req.valid('param').id, content), 200)
  },
)

autoPostingRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auto-posts/drafts/{id}',
    tags,
    summary: 'Discard a draft',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'Discarded' } },
  }),
  async (c) => {
    await discardDraft(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)
