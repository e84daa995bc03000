import type { QueryClient } from '@tanstack/react-query'
import { messageKeys } from './keys'

/** Whether one may write to somebody has changed, or may have: what says so is read again. */
export function invalidateMessageAccess(client: QueryClient, otherUserId: string): void {
  void client.invalidateQueries({ queryKey: messageKeys.conversations })
  void client.invalidateQueries({ queryKey: messageKeys.person(otherUserId) })
}
