import type { QueryClient } from '@tanstack/react-query'
import { underWay } from './underWay'

/** Changes of one's own profile are sent one after the other. */
export const profileScope = 'profile'

/** Changes without an answer; meanwhile the screen shows what will be, and must not be told what was. */
export function profileChangesOf(client: QueryClient): number {
  return underWay(client, profileScope)
}
