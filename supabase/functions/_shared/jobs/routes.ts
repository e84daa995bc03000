import { createRoute, z } from '@hono/zod-openapi'
import { JobStatus } from '../contract/admin.ts'
import { answers } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { listJobs } from './status.ts'

/** The schedule, as admins see it. */
export const jobRoutes = createRouter()

jobRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/jobs',
    tags: ['Admin'],
    summary: 'When each job of the schedule last ran, how it went, and when it runs next; for admins',
    ...forPeople,
    responses: { 200: answers(z.array(JobStatus), 'Every job') },
  }),
  async (c) => c.json(await listJobs(c.var.user), 200),
)
