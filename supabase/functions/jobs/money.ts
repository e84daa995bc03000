import { z } from 'zod'
import { asService } from '../_shared/db/run.ts'
import { port } from '../_shared/payments/port.ts'
import { renewAll } from '../_shared/payments/renewals.ts'
import { answerJob } from './answer.ts'

/** What is due in money. */
export const money = [
  answerJob(
    'renewals',
    z.object({ renewed: z.number(), ended: z.number(), failed: z.number() }),
    'How many of each; what failed is tried again',
    renewAll,
  ),

  answerJob(
    'payments',
    z.object({
      settled: z.number(),
      told: z.number(),
      givenBack: z.number(),
      forgotten: z.number(),
      failed: z.number(),
    }),
    'How many of each; what failed is tried again. All 0 where no provider has pages of its own',
    async () =>
      (await port?.elsewhere?.catchUp()) ?? { settled: 0, told: 0, givenBack: 0, forgotten: 0, failed: 0 },
  ),

  answerJob(
    'payouts',
    z.object({ made: z.number() }),
    'How many payouts wait for an operator now',
    async () => {
      const [row] = await asService(
        'a schedule has no caller',
        (tx) => tx<{ made: number }[]>`select private.make_scheduled_payouts(500) as made`,
      )
      return { made: row?.made ?? 0 }
    },
  ),
]
