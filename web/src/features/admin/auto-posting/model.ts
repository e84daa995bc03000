import type { AutoPostingToday, AutoRound, AutoRun, AutoRunOutcome } from '@contract/auto-posting.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { translateServerText } from '@/lib/errors'
import { formatCount, numberFormat } from '@/lib/format'

/** Labels of the outcomes. */
export const runOutcomeNames: Record<AutoRunOutcome, MessageDescriptor> = {
  published: msg`Published`,
  drafted: msg`Draft`,
  previewed: msg`Preview`,
  refused: msg`Rejected`,
  failed: msg`Failed`,
  lost: msg`Lost`,
  skipped: msg`Skipped`,
}

/** Labels of the kinds of runs. */
export const runKindNames: Record<AutoRun['kind'], MessageDescriptor> = {
  slot: msg`Scheduled`,
  test: msg`Test`,
  preview: msg`Preview`,
}

type Runs = AutoRound['runs']

const countOutcome = (runs: Runs, outcome: AutoRunOutcome) =>
  runs.filter((run) => run.outcome === outcome).length

/** Summarizes a round: the numbers of posts and drafts, and why the other runs produced neither. */
export function describeRuns(runs: Runs): string {
  if (runs.length === 0) return t`No creators with auto-posting on have agreed to it yet.`
  const published = countOutcome(runs, 'published')
  const drafts = countOutcome(runs, 'drafted')
  const unsuccessful = runs.filter(({ outcome }) => outcome !== 'published' && outcome !== 'drafted')
  const failures = unsuccessful.length
  const reasons = [...new Set(unsuccessful.flatMap(({ detail }) => detail ?? []))].map(translateServerText)
  const counts = [
    published > 0 && t`${plural(published, { one: '# published', other: '# published' })}`,
    drafts > 0 && t`${plural(drafts, { one: '# draft', other: '# drafts' })}`,
    failures > 0 && t`${plural(failures, { one: '# not posted', other: '# not posted' })}`,
  ]
  const summary = counts.filter(Boolean).join(' · ')
  return reasons.length > 0 ? `${summary}: ${reasons.join(' ')}` : summary
}

/** Returns whether a round produced a post or a draft, or had no creator to post for. */
export const hasSucceeded = (runs: Runs): boolean =>
  runs.length === 0 || runs.some(({ outcome }) => outcome === 'published' || outcome === 'drafted')

/** Formats US dollars with up to five decimal places, because a run can cost a hundredth of a cent. */
export const formatCost = (cost: number): string =>
  numberFormat({
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 5,
  }).format(cost)

/** Describes today's usage against the daily limits, and says whether one has been reached. */
export function describeTodayUsage({ posts, maxPosts, cost, maxCost, full }: AutoPostingToday): string {
  const postCount = formatCount(posts)
  const postLimit = formatCount(maxPosts)
  const spent = formatCost(cost)
  const costLimit = formatCost(maxCost)
  const usage = t`Today: ${postCount} of ${postLimit} posts, ${spent} of ${costLimit}.`
  return full ? `${usage} ${t`Today's limit is reached. Posting resumes tomorrow.`}` : usage
}
