import { createRoute, z } from '@hono/zod-openapi'
import { ActiveSession } from '../contract/auth.ts'
import { answers, passJson } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import * as sessions from './sessions.ts'

const tags = ['Accounts']

export const sessionRoutes = createRouter()

sessionRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/sessions',
    tags,
    summary: 'Where you are signed in: this session first, then the last used',
    ...forPeople,
    responses: { 200: answers(z.array(ActiveSession), 'The sessions, 100 at most') },
  }),
  async (c) => passJson(c, await sessions.listSessions(c.var.user), 200),
)

sessionRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auth/sessions/{id}',
    tags,
    summary: 'End one of your sessions',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It has ended' } },
  }),
  async (c) => {
    await sessions.endOwnSession(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

sessionRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auth/sessions',
    tags,
    summary: 'End all of your sessions but this one',
    ...forPeople,
    responses: { 204: { description: 'They have ended' } },
  }),
  async (c) => {
    await sessions.endOtherSessions(c.var.user)
    return c.body(null, 204)
  },
)
