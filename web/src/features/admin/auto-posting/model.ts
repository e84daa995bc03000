import type { AutoPostingToday, AutoRound, AutoRun, AutoRunOutcome } from '@contract/auto-posting.ts'

/** Labels of the outcomes. */
export const runOutcomeNames: Record<AutoRunOutcome, string> = {
  published: 'Published',
  drafted: 'Draft',
  previewed: 'Preview',
  refused: 'Rejected by our checks',
  failed: 'Failed',
  lost: 'Lost',
  skipped: 'Skipped',
}

/** Labels of the kinds of runs. */
export const runKindNames: Record<AutoRun['kind'], string> = {
  slot: 'Scheduled',
  test: 'Test',
  preview: 'Preview',
}

type Runs = AutoRound['runs']

const countOutcome = (runs: Runs, outcome: AutoRunOutcome) =>
  runs.filter((run) => run.outcome === outcome).length

/** Summarizes a round: the numbers of posts and drafts, and why some runs produced none. */
export function describeRuns(runs: Runs): string {
  if (runs.length === 0) return 'Nobody has auto-posting switched on and has agreed to it.'
  const published = countOutcome(runs, 'published')
  const drafts = countOutcome(runs, 'drafted')
  const unsuccessful = runs.filter(({ outcome }) => outcome !== 'published' && outcome !== 'drafted')
  const reasons = [...new Set(unsuccessful.flatMap(({ detail }) => detail ?? []))]
  const counts = [
    published > 0 && `${published} published`,
    drafts > 0 && `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`,
    unsuccessful.length > 0 && `${unsuccessful.length} not posted`,
  ].filter(Boolean)
  return reasons.length > 0 ? `${counts.join(', ')}: ${reasons.join(' ')}` : `${counts.join(', ')}.`
}

/** Returns whether a round produced a post or a draft, or had no creator to post for. */
export const hasSucceeded = (runs: Runs): boolean =>
  runs.length === 0 || runs.some(({ outcome }) => outcome === 'published' || outcome === 'drafted')

const costFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 5,
})

/** Formats US dollars with up to five decimals, as a run can cost a hundredth of a cent. */
export const formatCost = (cost: number): string => costFormat.format(cost)

/** Describes how much of today's caps is used, and whether one is reached. */
export function describeTodayUsage({ posts, maxPosts, cost, maxCost, full }: AutoPostingToday): string {
  const used = `Today: ${posts} of ${maxPosts} posts, ${formatCost(cost)} of ${formatCost(maxCost)}.`
  return full ? `${used} No more is posted until tomorrow.` : used
}
