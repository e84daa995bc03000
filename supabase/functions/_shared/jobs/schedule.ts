export type Job = {
  name: string
  /** Time between the starts of two runs. A multiple of 60, because `pg_cron` schedules by the minute. */
  intervalSeconds: number
  /** What the job does, shown to admins. */
  purpose: string
}

/**
 * All scheduled jobs. The `jobs` function runs them when the embedded stack's timer or `pg_cron` (set up in
 * supabase/schemas/90_jobs.sql) calls it.
 */
export const jobs = [
  {
    name: 'auto-posts',
    intervalSeconds: 300,
    purpose: 'Write the automatic posts that are due, and expire old drafts',
  },
  {
    name: 'clean-up',
    intervalSeconds: 600,
    purpose: 'Delete data that is no longer needed',
  },
  {
    name: 'mails',
    intervalSeconds: 300,
    purpose: 'Email users about notifications and messages that have been unread for 15 minutes',
  },
  {
    name: 'mass-messages',
    intervalSeconds: 60,
    purpose: 'Send creators’ welcome messages to new subscribers and their mass messages to all subscribers',
  },
  {
    name: 'media',
    intervalSeconds: 600,
    purpose: 'Delete unused uploads and the files of deleted uploads',
  },
  {
    name: 'moderation',
    intervalSeconds: 60,
    purpose: 'End suspensions that have expired, delete old moderation data, and apply changed settings',
  },
  {
    name: 'new-posts',
    intervalSeconds: 60,
    purpose: 'Notify followers of new posts',
  },
  {
    name: 'payments',
    intervalSeconds: 300,
    purpose: 'Synchronize payments and subscriptions with the payment provider',
  },
  {
    name: 'payouts',
    intervalSeconds: 600,
    purpose: 'Request the scheduled payouts that are due',
  },
  {
    name: 'renewals',
    intervalSeconds: 600,
    purpose: 'Renew subscriptions and plans whose period is over, and end cancelled ones',
  },
  {
    name: 'roll-up',
    intervalSeconds: 300,
    purpose: 'Update analytics: views, likes, comments, followers, audiences',
  },
  {
    name: 'scheduled-posts',
    intervalSeconds: 60,
    purpose: 'Publish the scheduled posts that are due',
  },
  {
    name: 'trending',
    intervalSeconds: 600,
    purpose: 'Update trending topics and creators',
  },
] as const satisfies readonly Job[]

export type JobName = (typeof jobs)[number]['name']

export function findJob(name: JobName): Job {
  const found = jobs.find((job) => job.name === name)
  if (!found) throw new Error(`There is no job ${name}`)
  return found
}
