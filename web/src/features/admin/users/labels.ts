import type { AdminUserFilter } from '@contract/admin.ts'
import type { AutoPostingFrequency } from '@contract/auto-posting.ts'

/** What each filter is called, in the order in which they stand. */
export const userFilterNames: [AdminUserFilter, string][] = [
  ['all', 'All'],
  ['creators', 'Creators'],
  ['admins', 'Admins'],
  ['suspended', 'Suspended'],
  ['unapproved', 'Waiting for approval'],
  ['auto_posting', 'Auto-posting'],
]

/** How often a program posts for somebody. */
export const frequencyNames: Record<AutoPostingFrequency, string> = {
  low: 'Low (1–2 per day)',
  moderate: 'Moderate (2–3 per day)',
  high: 'High (3–4 per day)',
}
