import { createRoute, z } from '@hono/zod-openapi'
import type { PendingQuery } from 'postgres'
import type { Sql } from '../_shared/db/sql.ts'
import { createRouter } from '../_shared/http/app.ts'
import { requireJobSecret } from '../_shared/http/job-secret.ts'
import { jsonResponse, sendJson } from '../_shared/http/responses.ts'
import { asService } from '../_shared/http/run-as.ts'
import { runJob } from '../_shared/jobs/run-job.ts'
import { findJob, type JobName } from '../_shared/jobs/schedule.ts'

/**
 * The response for a skipped run: another run is in progress, or the query parameters do not allow one yet.
 */
const Skipped = z.object({ skipped: z.literal(true) })
const Query = z.object({
  /** Like `scheduled`, but also skips the run if the last one started less than the job's interval ago. */
  due: z.literal('1').optional(),
  /** Skips the run if the delay after repeated failures has not passed yet. */
  scheduled: z.literal('1').optional(),
})

/**
 * Creates the route that runs a job, `POST /jobs/<name>`.
 *
 * @param schema the schema of the response, which is the result of `work`
 * @param description a description of the response
 */
export function createJobRoute<Result extends object>(
  name: JobName,
  schema: z.ZodType<Result>,
  description: string,
  work: () => Promise<Result>,
) {
  const job = findJob(name)
  const response: z.ZodType<object> = z.union([schema, Skipped])
  const router = createRouter()
  router.openapi(
    createRoute({
      method: 'post',
      path: `/${name}`,
      summary: job.purpose,
      middleware: requireJobSecret,
      request: { query: Query },
      responses: {
        200: jsonResponse(
          response,
          `${description}. \`skipped\` if another run is in progress, or if \`due\` or \`scheduled\` does not allow one yet`,
        ),
      },
    }),
    async (c) => {
      const { due, scheduled } = c.req.valid('query')
      const result = await runJob(job, due ? 'due' : scheduled ? 'scheduled' : 'now', work)
      return sendJson<object, 200>(c, JSON.stringify(result ?? { skipped: true }), 200)
    },
  )
  return router
}

export const Counts = z.record(z.string(), z.number())

/** Runs a statement that returns counts as JSON text in the `counts` column. Returns the parsed counts. */
export async function readCounts(
  build: (tx: Sql) => PendingQuery<{ counts: string }[]>,
): Promise<Record<string, number>> {
  const [row] = await asService(build)
  return Counts.parse(JSON.parse(row?.counts ?? '{}'))
}
