import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import {
  AdminCase,
  AdminCaseDetails,
  AdminCasesQuery,
  AppealDecisionRequest,
  AppealRequest,
  BulkDecisionRequest,
  BulkDecisionResponse,
  Decision,
  ModerateRequest,
  Report,
  ReportRequest,
} from '../contract/moderation.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { IdParam, pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { answerAppeal, decideCases, moderate } from './decide-cases.ts'
import {
  appealDecision,
  createReport,
  listCases,
  listDecisions,
  listReports,
  readCaseDetails,
} from './queries.ts'

const tags = ['Moderation']
const adminTags = ['Admin']

export const moderationRoutes = createRouter()

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/reports',
    tags,
    summary:
      'Report a post, comment, message or user; reporting it again before a decision returns the first report',
    ...requireUser,
    request: jsonBody(ReportRequest),
    responses: {
      200: jsonResponse(Report, 'Your earlier report, which has not been decided yet'),
      201: jsonResponse(Report, 'The new report'),
    },
  }),
  async (c) => {
    const { isNew, item } = await createReport(c.var.user, c.req.valid('json'))
    return sendJson(c, item, isNew ? 201 : 200)
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/reports',
    tags,
    summary: 'List your reports and their outcomes, newest first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Report), 'A page of reports') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.reports)
    return sendPage(c, await listReports(c.var.user, range))
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/decisions',
    tags,
    summary: 'List the moderation decisions about you and their reasons, newest first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Decision), 'A page of decisions') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.reports)
    return sendPage(c, await listDecisions(c.var.user, range))
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/user/decisions/{id}/appeal',
    tags,
    summary: `Appeal a decision, once and within ${limits.appeal.days} days`,
    ...requireUser,
    request: { params: IdParam, ...jsonBody(AppealRequest) },
    responses: { 200: jsonResponse(Decision, 'The decision with your appeal') },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return sendJson(c, await appealDecision(c.var.user, id, c.req.valid('json').text), 200)
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/cases',
    tags: adminTags,
    summary:
      'List the moderation cases, the most recently updated first unless `sort` says otherwise; admins only',
    ...requireUser,
    request: { query: AdminCasesQuery },
    responses: { 200: jsonResponse(z.array(AdminCase), 'A page of cases') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return sendPage(c, await listCases(c.var.user, query, pageRange(query, limits.page.cases)))
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/cases/{id}',
    tags: adminTags,
    summary: 'Get a case with its latest 200 reports and their reporters; admins only',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(AdminCaseDetails, 'The case') },
  }),
  async (c) => sendJson(c, await readCaseDetails(c.var.user, c.req.valid('param').id), 200),
)

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/cases/decide',
    tags: adminTags,
    summary: 'Decide several cases in the same way; each succeeds or fails on its own; admins only; audited',
    ...requireUser,
    request: jsonBody(BulkDecisionRequest),
    responses: {
      200: jsonResponse(BulkDecisionResponse, 'Which cases were decided, and why the others were not'),
    },
  }),
  async (c) => {
    const { ids, decision } = c.req.valid('json')
    return c.json(await decideCases(c.var.user, ids, decision), 200)
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/cases/{id}/appeal',
    tags: adminTags,
    summary:
      'Answer an appeal; the answer is final; the admin who made the decision may answer only if there is no other admin; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(AppealDecisionRequest) },
    responses: { 200: jsonResponse(AdminCase, 'The closed case') },
  }),
  async (c) => sendJson(c, await answerAppeal(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/moderate',
    tags: adminTags,
    summary:
      'Decide on a post, comment, message or user, whether it was reported or not; admins only; audited',
    ...requireUser,
    request: jsonBody(ModerateRequest),
    responses: { 200: jsonResponse(AdminCase, 'The decided case') },
  }),
  async (c) => sendJson(c, await moderate(c.var.user, c.req.valid('json')), 200),
)
