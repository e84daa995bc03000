import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { AppealRequest, Decision, Report, ReportRequest } from '../contract/moderation.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { appeal, listDecisions } from './decisions.ts'
import { fileReport, listReports } from './reports.ts'

const tags = ['Moderation']

export const moderationRoutes = createRouter()

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/reports',
    tags,
    summary: 'Report a post, comment, message or person; the same again, while it waits, stores nothing',
    ...forPeople,
    request: takes(ReportRequest),
    responses: {
      200: answers(Report, 'You reported it before, and nobody has looked at it yet'),
      201: answers(Report, 'The new report'),
    },
  }),
  async (c) => {
    const { made, item } = await fileReport(c.var.user, c.req.valid('json'))
    return passJson(c, item, made ? 201 : 200)
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/reports',
    tags,
    summary: 'Your reports, and what became of each; the newest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Report), 'A page of reports') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.reports)
    return passPage(c, await listReports(c.var.user, range))
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/decisions',
    tags,
    summary: 'What the moderators decided about you, and why; the newest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Decision), 'A page of decisions') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.reports)
    return passPage(c, await listDecisions(c.var.user, range))
  },
)

moderationRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/user/decisions/{id}/appeal',
    tags,
    summary: 'Say that you disagree with a decision: once, and within 30 days',
    ...forPeople,
    request: { params: IdParam, ...takes(AppealRequest) },
    responses: { 200: answers(Decision, 'The decision as it is now') },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return passJson(c, await appeal(c.var.user, id, c.req.valid('json').text), 200)
  },
)
