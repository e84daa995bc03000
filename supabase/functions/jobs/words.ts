import { z } from 'zod'
import { runDue } from '../_shared/auto-posting/due.ts'
import { sendDueMails } from '../_shared/mail/notices.ts'
import { answerJob, Numbers, numbersOf } from './answer.ts'

/** What is written to people, and in their names. */
export const words = [
  answerJob(
    'mails',
    z.object({ on: z.boolean(), sent: z.number(), failed: z.number() }),
    'How many mails left, and how many did not and are tried again; `on` is false where mail cannot leave',
    sendDueMails,
  ),

  answerJob(
    'auto-posts',
    z.object({
      published: z.number(),
      drafted: z.number(),
      refused: z.number(),
      failed: z.number(),
      lost: z.number(),
      skipped: z.number(),
      tidied: Numbers,
    }),
    'How many slots came to what, and how many drafts expired and runs were forgotten',
    async () => {
      // Whatever becomes of the posts, drafts expire.
      const tidied = await numbersOf(
        'the clock expires drafts',
        (tx) => tx<{ numbers: string }[]>`select private.tidy_auto_posting()::text as numbers`,
      )
      return { ...(await runDue(new Date())), tidied }
    },
  ),
]
