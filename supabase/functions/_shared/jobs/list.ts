/** A job of the schedule. */
export type Job = {
  name: string
  /** Between two turns; whole minutes, as the database's own clock counts in them. */
  seconds: number
  /** After so many seconds a turn that has not come back is no longer waited for. */
  lease: number
  /** What it is for. */
  purpose: string
}

/**
 * Every job there is: the function `jobs` answers them, the embedded stack's timer and the database's clock (`pg_cron`,
 * in the migrations) call them, and admins see how they stand.
 */
export const jobs = [
  {
    name: 'auto-posts',
    seconds: 300,
    lease: 300,
    purpose: 'Write the posts that are due in creators’ names, and let old drafts expire',
  },
  { name: 'clean-up', seconds: 600, lease: 600, purpose: 'Remove what is no longer needed' },
  {
    name: 'mails',
    seconds: 300,
    lease: 300,
    purpose: 'Write to people about what they have not read for a quarter of an hour',
  },
  {
    name: 'media',
    seconds: 600,
    lease: 600,
    purpose: 'Remove uploads that nobody uses, and the files of those that are gone',
  },
  {
    name: 'moderation',
    seconds: 60,
    lease: 120,
    purpose: 'End suspensions whose time is over, and forget what moderation no longer needs',
  },
  {
    name: 'payments',
    seconds: 300,
    lease: 300,
    purpose: 'Tell the payments provider what it does not know, and ask for what it did not tell',
  },
  {
    name: 'payouts',
    seconds: 600,
    lease: 120,
    purpose: 'Ask for the payouts that are due by their creators’ schedules',
  },
  {
    name: 'renewals',
    seconds: 600,
    lease: 600,
    purpose: 'Renew the subscriptions and plans whose month is over, and end those that do not go on',
  },
  {
    name: 'roll-up',
    seconds: 300,
    lease: 300,
    purpose: 'Count what creators are told of: views, likes, comments, followers, audiences',
  },
  {
    name: 'trending',
    seconds: 600,
    lease: 120,
    purpose: 'Count again which topics and creators are trending',
  },
] as const satisfies readonly Job[]

export type JobName = (typeof jobs)[number]['name']

/** One job of the list. */
export function jobOf(name: JobName): Job {
  const found = jobs.find((job) => job.name === name)
  if (!found) throw new Error(`There is no job ${name}`)
  return found
}
