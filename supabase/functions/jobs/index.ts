import { createRoute, z } from '@hono/zod-openapi'
import { rollUp } from '../_shared/analytics/roll-up.ts'
import { asService } from '../_shared/db/run.ts'
import { answers } from '../_shared/http/answers.ts'
import { createApp } from '../_shared/http/app.ts'
import { withJobSecret } from '../_shared/http/job.ts'
import { sendDueMails } from '../_shared/mail/notices.ts'
import { sweepMedia } from '../_shared/media/sweep.ts'
import { port } from '../_shared/payments/port.ts'
import { renewAll } from '../_shared/payments/renewals.ts'

const app = createApp('/jobs')

app.openapi(
  createRoute({
    method: 'post',
    path: '/clean-up',
    summary: 'Remove what is no longer needed',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({ deleted: z.record(z.string(), z.number()) }),
        'How many rows of each kind went',
      ),
    },
  }),
  async (c) => {
    const [row] = await asService(
      'what a schedule removes belongs to no caller',
      (tx) => tx<{ deleted: string }[]>`select private.clean_up()::text as deleted`,
    )
    const deleted = z.record(z.string(), z.number()).parse(JSON.parse(row?.deleted ?? '{}'))
    return c.json({ deleted }, 200)
  },
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/trending',
    summary: 'Count again which topics and creators are trending',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({ counted: z.record(z.string(), z.number()) }),
        'How many of each there are; empty while another call counts',
      ),
    },
  }),
  async (c) => {
    const [row] = await asService(
      'what is trending is counted over everybody',
      (tx) => tx<{ counted: string }[]>`select private.refresh_trending()::text as counted`,
    )
    const counted = z.record(z.string(), z.number()).parse(JSON.parse(row?.counted ?? '{}'))
    return c.json({ counted }, 200)
  },
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/media',
    summary: 'Remove uploads that nobody uses, and the files of those that are gone',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({ uploads: z.number(), files: z.number() }),
        'How many uploads were looked at, and how many files removed',
      ),
    },
  }),
  async (c) => c.json(await sweepMedia(), 200),
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/mails',
    summary: 'Write to people about what they have not read for a quarter of an hour',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({ on: z.boolean(), sent: z.number(), failed: z.number() }),
        'How many mails left, and how many did not and are tried again; `on` is false where mail cannot leave',
      ),
    },
  }),
  async (c) => c.json(await sendDueMails(), 200),
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/renewals',
    summary: 'Renew the subscriptions and plans whose month is over, and end those that do not go on',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({ renewed: z.number(), ended: z.number(), failed: z.number() }),
        'How many of each; what failed is tried again',
      ),
    },
  }),
  async (c) => c.json(await renewAll(), 200),
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/payments',
    summary: 'Tell the payments provider what it does not know, and ask for what it did not tell',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({
          settled: z.number(),
          told: z.number(),
          givenBack: z.number(),
          forgotten: z.number(),
          failed: z.number(),
        }),
        'How many of each; what failed is tried again. All 0 where no provider has pages of its own',
      ),
    },
  }),
  async (c) => {
    const nothing = { settled: 0, told: 0, givenBack: 0, forgotten: 0, failed: 0 }
    return c.json((await port?.elsewhere?.catchUp()) ?? nothing, 200)
  },
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/roll-up',
    summary: 'Count what creators are told of: views, likes, comments, followers, audiences',
    middleware: withJobSecret,
    responses: {
      200: answers(
        z.object({ counted: z.record(z.string(), z.number()) }),
        'How many views and audiences were counted; what there was no time for is counted the next time',
      ),
    },
  }),
  async (c) => c.json({ counted: await rollUp() }, 200),
)

app.openapi(
  createRoute({
    method: 'post',
    path: '/payouts',
    summary: 'Ask for the payouts that are due by their creators’ schedules',
    middleware: withJobSecret,
    responses: { 200: answers(z.object({ made: z.number() }), 'How many payouts wait for an operator now') },
  }),
  async (c) => {
    const [row] = await asService(
      'a schedule has no caller',
      (tx) => tx<{ made: number }[]>`select private.make_scheduled_payouts(500) as made`,
    )
    return c.json({ made: row?.made ?? 0 }, 200)
  },
)

export default { fetch: app.fetch }
