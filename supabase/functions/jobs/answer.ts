import { createRoute, z } from '@hono/zod-openapi'
import type { PendingQuery } from 'postgres'
import { asService, type Sql } from '../_shared/db/run.ts'
import { answers, passJson } from '../_shared/http/answers.ts'
import { createRouter } from '../_shared/http/app.ts'
import { withJobSecret } from '../_shared/http/job.ts'
import { type JobName, jobOf } from '../_shared/jobs/list.ts'
import { runTurn } from '../_shared/jobs/turn.ts'

/** Another turn of the same job is under way, or, where only a due one was asked for, it is not due. */
const Skipped = z.object({ skipped: z.literal(true) })
const Query = z.object({
  /** Only where the last turn began longer ago than the job's usual time. */
  due: z.literal('1').optional(),
})

/**
 * The call of one job.
 *
 * @param shape what the job answers
 * @param said what that means
 */
export function answerJob<Answer extends object>(
  name: JobName,
  shape: z.ZodType<Answer>,
  said: string,
  work: () => Promise<Answer>,
) {
  const job = jobOf(name)
  const answered: z.ZodType<object> = z.union([shape, Skipped])
  const router = createRouter()
  router.openapi(
    createRoute({
      method: 'post',
      path: `/${name}`,
      summary: job.purpose,
      middleware: withJobSecret,
      request: { query: Query },
      responses: {
        200: answers(
          answered,
          `${said}; \`skipped\` while another turn of it is under way, and with \`due\` where none is due`,
        ),
      },
    }),
    async (c) => {
      const answer = await runTurn(job, c.req.valid('query').due === '1', work)
      return passJson<object, 200>(c, JSON.stringify(answer ?? { skipped: true }), 200)
    },
  )
  return router
}

export const Numbers = z.record(z.string(), z.number())

type Numbering = (tx: Sql) => PendingQuery<{ numbers: string }[]>

/** The numbers that a function of the database answers as JSON. */
export async function numbersOf(why: string, work: Numbering): Promise<Record<string, number>> {
  const [row] = await asService(why, work)
  return Numbers.parse(JSON.parse(row?.numbers ?? '{}'))
}
