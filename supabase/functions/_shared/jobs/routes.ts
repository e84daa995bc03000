import { createRoute, z } from '@hono/zod-openapi'
import { JobStatus } from '../contract/admin.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { jsonResponse } from '../http/responses.ts'
import { listJobStatuses } from './queries.ts'

export const jobStatusRoutes = createRouter()

jobStatusRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/jobs',
    tags: ['Admin'],
    summary: 'List the scheduled jobs with their last run, its result and their next run; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(z.array(JobStatus), 'All jobs') },
  }),
  async (c) => c.json(await listJobStatuses(c.var.user), 200),
)
