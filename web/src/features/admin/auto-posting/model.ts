import type { AutoPostingToday, AutoRound, AutoRun, AutoRunOutcome } from '@contract/auto-posting.ts'

/** What became of a run, in a word or two. */
export const runOutcomeNames: Record<AutoRunOutcome, string> = {
  published: 'Published',
  drafted: 'Draft',
  previewed: 'Preview',
  refused: 'Rejected by our checks',
  failed: 'Failed',
  lost: 'Lost',
  skipped: 'Skipped',
}

/** What a run was for. */
export const runKindNames: Record<AutoRun['kind'], string> = {
  slot: 'Scheduled',
  test: 'Test',
  preview: 'Preview',
}

type Runs = AutoRound['runs']

const came = (runs: Runs, outcome: AutoRunOutcome) => runs.filter((run) => run.outcome === outcome).length

/** What came of a round, in a sentence: how many posts and drafts, and why there are not more. */
export function describeRuns(runs: Runs): string {
  if (runs.length === 0) return 'Nobody has auto-posting switched on and has agreed to it.'
  const published = came(runs, 'published')
  const drafts = came(runs, 'drafted')
  const rest = runs.filter(({ outcome }) => outcome !== 'published' && outcome !== 'drafted')
  const why = [...new Set(rest.flatMap(({ detail }) => detail ?? []))]
  const counts = [
    published > 0 && `${published} published`,
    drafts > 0 && `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`,
    rest.length > 0 && `${rest.length} not posted`,
  ].filter(Boolean)
  return why.length > 0 ? `${counts.join(', ')}: ${why.join(' ')}` : `${counts.join(', ')}.`
}

/** Something came of a round, or there was nobody to post for. */
export const hasSucceeded = (runs: Runs): boolean =>
  runs.length === 0 || runs.some(({ outcome }) => outcome === 'published' || outcome === 'drafted')

const money = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 5,
})

/** A cost in US dollars, of which a hundred may come to a cent. */
export const formatCost = (cost: number): string => money.format(cost)

/** What was posted and spent today, and which of it has come to its end. */
export function describeTodayUsage({ posts, maxPosts, cost, maxCost, full }: AutoPostingToday): string {
  const used = `Today: ${posts} of ${maxPosts} posts, ${formatCost(cost)} of ${formatCost(maxCost)}.`
  return full ? `${used} No more is posted until tomorrow.` : used
}

/** 7200 as 'every 2 hours', 300 as 'every 5 minutes'. */
export function formatInterval(seconds: number): string {
  const [length, name] = steps.find(([step]) => seconds >= step && seconds % step === 0) ?? [1, 'second']
  const count = Math.round(seconds / length)
  return count === 1 ? `every ${name}` : `every ${count.toLocaleString('en-US')} ${name}s`
}

const steps: [number, string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** 'clean-up' as 'Clean up'. */
export const formatJobName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ')
