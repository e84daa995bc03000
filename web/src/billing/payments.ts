import type { EarningSource } from '@contract/earnings.ts'

/** What each source of earnings is called wherever it is named. */
export const earningSourceNames: Record<EarningSource, string> = {
  subscription: 'Subscriptions',
  tip: 'Tips & Donations',
  premium_content: 'Premium Content',
}
