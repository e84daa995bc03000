import { z } from 'zod'
import { refreshRestrictions } from '../_shared/admin/refresh-restrictions.ts'
import { rollUpAnalytics } from '../_shared/analytics/roll-up.ts'
import { runDueSlots } from '../_shared/auto-posting/runner.ts'
import { asService } from '../_shared/http/run-as.ts'
import { cleanUp } from '../_shared/jobs/clean-up.ts'
import { sendUnreadDigests } from '../_shared/mail/unread-digest.ts'
import { cleanUpMedia } from '../_shared/media/media-cleanup.ts'
import { sendMassMessages } from '../_shared/messages/mass-messages.ts'
import { sendWelcomeMessages } from '../_shared/messages/welcome-messages.ts'
import { announcePosts, announcePostsInBackground } from '../_shared/notifications/announce-posts.ts'
import { paymentProvider } from '../_shared/payments/provider.ts'
import { renewDueSubscriptions } from '../_shared/payments/renewals.ts'
import { isTestMode } from '../_shared/payments/test-mode.ts'
import { publishDuePosts } from '../_shared/posts/scheduled-posts.ts'
import { Counts, createJobRoute, readCounts } from './job-route.ts'

export const jobRoutes = [
  createJobRoute(
    'clean-up',
    z.object({ deleted: Counts }),
    'The number of rows of each kind that were deleted or queued. If a run runs out of time, the next one continues',
    async () => ({ deleted: await cleanUp() }),
  ),

  createJobRoute(
    'trending',
    z.object({ counted: Counts }),
    'The number of trending topics and creators',
    async () => ({
      counted: await readCounts(
        (tx) => tx<{ counts: string }[]>`select private.refresh_trending()::text as counts`,
      ),
    }),
  ),

  createJobRoute(
    'media',
    z.object({ uploads: z.number(), files: z.number() }),
    'The number of uploads checked and files deleted',
    cleanUpMedia,
  ),

  createJobRoute(
    'roll-up',
    z.object({ counted: Counts }),
    'The number of views counted, and of audiences computed or deleted. If a run runs out of time, the next one continues',
    async () => ({ counted: await rollUpAnalytics() }),
  ),

  createJobRoute(
    'moderation',
    z.object({ tidied: Counts }),
    'The number of suspensions ended, of cases whose hidden content was deleted, and of accounts checked after a change to a setting',
    async () => ({
      tidied: {
        ...(await readCounts(
          (tx) => tx<{ counts: string }[]>`select private.run_moderation_maintenance()::text as counts`,
        )),
        ...(await refreshRestrictions()),
      },
    }),
  ),

  createJobRoute(
    'renewals',
    z.object({ renewed: z.number(), paused: z.number(), ended: z.number(), failed: z.number() }),
    'The number of subscriptions and plans with each result. Failed renewals are retried',
    renewDueSubscriptions,
  ),

  createJobRoute(
    'payments',
    z.object({
      settled: z.number(),
      pushed: z.number(),
      refunded: z.number(),
      customersDeleted: z.number(),
      failed: z.number(),
    }),
    'The number of items with each result. Failures are retried. All numbers are 0 if the provider hosts no checkout pages',
    async () =>
      (await paymentProvider?.hostedCheckout?.reconcile()) ?? {
        settled: 0,
        pushed: 0,
        refunded: 0,
        customersDeleted: 0,
        failed: 0,
      },
  ),

  createJobRoute(
    'payouts',
    z.object({ made: z.number() }),
    'The number of payouts requested, which wait for an admin',
    async () => {
      const [row] = await asService(
        (tx) =>
          tx<
            { made: number }[]
          >`select private.create_scheduled_payouts(500, ${isTestMode}::boolean) as made`,
      )
      return { made: row?.made ?? 0 }
    },
  ),

  createJobRoute(
    'mails',
    z.object({ on: z.boolean(), sent: z.number(), failed: z.number() }),
    'The number of emails sent and failed. Failed emails are retried. `on` is false if mail is disabled',
    sendUnreadDigests,
  ),

  createJobRoute(
    'new-posts',
    z.object({ notified: z.number(), withdrawn: z.number() }),
    'The number of notifications created, and of notifications deleted because their posts are no longer visible. If a run runs out of time, the next one continues',
    announcePosts,
  ),

  createJobRoute(
    'mass-messages',
    z.object({ sent: z.number(), failed: z.number() }),
    'The number of messages sent, and of welcome and mass messages that could not be sent in this run. If a run runs out of time, the next one continues',
    async () => {
      const welcome = await sendWelcomeMessages()
      const mass = await sendMassMessages()
      return { sent: welcome.sent + mass.sent, failed: welcome.failed + mass.failed }
    },
  ),

  createJobRoute(
    'scheduled-posts',
    z.object({ published: z.number(), failed: z.number(), postponed: z.number() }),
    'How many posts were published, how many failed (their authors are notified), and how many the next run will retry. If a run runs out of time, the next one continues',
    publishDuePosts,
  ),

  createJobRoute(
    'auto-posts',
    z.object({
      published: z.number(),
      drafted: z.number(),
      refused: z.number(),
      failed: z.number(),
      lost: z.number(),
      skipped: z.number(),
      tidied: Counts,
    }),
    'The number of slots with each outcome, and of drafts expired and old runs deleted',
    async () => {
      // Runs first, so that drafts expire even if writing the posts fails.
      const tidied = await readCounts(
        (tx) => tx<{ counts: string }[]>`select private.tidy_auto_posting()::text as counts`,
      )
      const result = await runDueSlots(new Date())
      announcePostsInBackground()
      return { ...result, tidied }
    },
  ),
]
