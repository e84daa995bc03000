import { createRoute, z } from '@hono/zod-openapi'
import { confirmAdmin } from '../admin/confirm.ts'
import { limits } from '../contract/limits.ts'
import {
  AdminCase,
  AdminCaseDetails,
  AdminCasesQuery,
  AppealDecisionRequest,
  BulkDecisionAnswer,
  BulkDecisionRequest,
  ModerateRequest,
} from '../contract/moderation.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { listCases, readCase } from './cases.ts'
import { answerAppeal, decideCases, moderate } from './decide.ts'

const tags = ['Admin']

export const adminCaseRoutes = createRouter()

adminCaseRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/cases',
    tags,
    summary: 'Cases: one for each reported thing, the last moved first; for admins',
    ...forPeopleBut(confirmAdmin),
    request: { query: AdminCasesQuery },
    responses: { 200: answers(z.array(AdminCase), 'A page of cases') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return passPage(c, await listCases(c.var.user, query, rangeOf(query, limits.page.cases)))
  },
)

adminCaseRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/cases/{id}',
    tags,
    summary: 'One case, with its latest 200 reports and who made them; for admins',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(AdminCaseDetails, 'The case') },
  }),
  async (c) => passJson(c, await readCase(c.var.user, c.req.valid('param').id), 200),
)

adminCaseRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/cases/decide',
    tags,
    summary: 'Decide cases alike: each by itself, once, and audited',
    ...forPeopleBut(confirmAdmin),
    request: takes(BulkDecisionRequest),
    responses: { 200: answers(BulkDecisionAnswer, 'Which were decided, and why others were not') },
  }),
  async (c) => {
    const { ids, decision } = c.req.valid('json')
    return c.json(await decideCases(c.var.user, ids, decision), 200)
  },
)

adminCaseRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/cases/{id}/appeal',
    tags,
    summary:
      'Answer an appeal, for good: by another admin than the one who decided, where there is one; audited',
    ...forPeopleBut(confirmAdmin),
    request: { params: IdParam, ...takes(AppealDecisionRequest) },
    responses: { 200: answers(AdminCase, 'The case as it is now') },
  }),
  async (c) => passJson(c, await answerAppeal(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

adminCaseRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/moderate',
    tags,
    summary: 'Decide about a thing that nobody need have reported; audited',
    ...forPeopleBut(confirmAdmin),
    request: takes(ModerateRequest),
    responses: { 200: answers(AdminCase, 'The case that came of it') },
  }),
  async (c) => passJson(c, await moderate(c.var.user, c.req.valid('json')), 200),
)
