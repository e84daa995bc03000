import type { QueryClient } from '@tanstack/react-query'
import { pendingMutationCount } from '@/lib/pending-mutation-count'

/** Changes of one's own profile are sent one after the other. */
export const profileMutationScope = 'profile'

/** Changes without an answer; meanwhile the screen shows what will be, and must not be told what was. */
export function pendingProfileChanges(client: QueryClient): number {
  return pendingMutationCount(client, profileMutationScope)
}
