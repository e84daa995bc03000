import { createRoute, z } from '@hono/zod-openapi'
import { confirmAdmin } from '../admin/confirm.ts'
import { AdminUser } from '../contract/admin.ts'
import {
  AutoPostingToday,
  AutoPreview,
  AutoRound,
  AutoRun,
  AutoRunsQuery,
  ToggleAutoPostingRequest,
} from '../contract/auto-posting.ts'
import { limits } from '../contract/limits.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { runRound } from './due.ts'
import { preview } from './preview.ts'
import { listRuns, readToday } from './runs.ts'
import { toggleAutoPosting } from './toggle.ts'

const tags = ['Admin']

/** Auto-posting, as admins see to it. */
export const adminAutoPostRoutes = createRouter()

adminAutoPostRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/trigger-auto-posting',
    tags,
    summary:
      'One round of auto-posting now, for everyone enabled and agreed: past the slots, within the caps',
    ...forPeople,
    responses: { 200: answers(AutoRound, 'What became of each') },
  }),
  async (c) => {
    await confirmAdmin(c.var.user)
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

adminAutoPostRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/auto-posting/runs',
    tags,
    summary: 'Each time that a program wrote, or tried to write, in somebody’s name, the newest first',
    ...forPeople,
    request: { query: AutoRunsQuery },
    responses: { 200: answers(z.array(AutoRun), 'A page of runs') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return passPage(c, await listRuns(c.var.user, query.userId, rangeOf(query, limits.page.autoRuns)))
  },
)

adminAutoPostRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/auto-posting/today',
    tags,
    summary: 'How much of today’s caps of posts and of cost is used',
    ...forPeople,
    responses: { 200: answers(AutoPostingToday, 'Today so far') },
  }),
  async (c) => c.json(await readToday(c.var.user), 200),
)

adminAutoPostRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/toggle-auto-posting',
    tags,
    summary: 'Switch auto-posting on or off for a creator, who is asked to agree; audited',
    ...forPeople,
    request: { params: IdParam, ...takes(ToggleAutoPostingRequest) },
    responses: { 200: answers(AdminUser, 'The person as they are now') },
  }),
  async (c) =>
    passJson(c, await toggleAutoPosting(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

adminAutoPostRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/auto-posting-preview',
    tags,
    summary: 'What a program would write in a creator’s name now; nothing is published',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(AutoPreview, 'The draft') },
  }),
  async (c) => c.json(await preview(c.var.user, c.req.valid('param').id), 200),
)
