import { z } from 'zod'
import { rollUp } from '../_shared/analytics/roll-up.ts'
import { sweepMedia } from '../_shared/media/sweep.ts'
import { answerJob, Numbers, numbersOf } from './answer.ts'

/** What keeps the instance in order. */
export const upkeep = [
  answerJob('clean-up', z.object({ deleted: Numbers }), 'How many rows of each kind went', async () => ({
    deleted: await numbersOf(
      'what a schedule removes belongs to no caller',
      (tx) => tx<{ numbers: string }[]>`select private.clean_up()::text as numbers`,
    ),
  })),

  answerJob('trending', z.object({ counted: Numbers }), 'How many of each there are', async () => ({
    counted: await numbersOf(
      'what is trending is counted over everybody',
      (tx) => tx<{ numbers: string }[]>`select private.refresh_trending()::text as numbers`,
    ),
  })),

  answerJob(
    'media',
    z.object({ uploads: z.number(), files: z.number() }),
    'How many uploads were looked at, and how many files removed',
    sweepMedia,
  ),

  answerJob(
    'roll-up',
    z.object({ counted: Numbers }),
    'How many views and audiences were counted; what there was no time for is counted the next time',
    async () => ({ counted: await rollUp() }),
  ),

  answerJob(
    'moderation',
    z.object({ tidied: Numbers }),
    'How many suspensions ended, and how much was forgotten',
    async () => ({
      tidied: await numbersOf(
        'the end of a suspension has no caller',
        (tx) => tx<{ numbers: string }[]>`select private.tidy_moderation()::text as numbers`,
      ),
    }),
  ),
]
