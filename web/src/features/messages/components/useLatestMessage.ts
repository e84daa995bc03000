import type { ChatMessage } from '@contract/message.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { messageKeys } from '../api/keys'
import { threadQuery } from '../api/thread'
import { applyOptimisticEdit } from '../model/apply-optimistic-edit'
import { type ChangeLog, withLoggedChanges } from '../model/change-log'
import { useOptimisticEdits } from '../model/optimistic-edits'
import type { ThreadWindow } from '../model/thread-window'

/**
 * A message that was taken up some time ago, as it is now and as the person wants it: from where it is held, else as
 * far as was heard of it.
 */
export function useLatestMessage(
  me: string,
  otherUserId: string,
  taken: ChatMessage | null,
): ChatMessage | null {
  const id = taken?.id
  const isIt = (message: ChatMessage) => message.id === id
  const { data: inThread } = useQuery({
    ...threadQuery(otherUserId),
    enabled: false,
    select: (thread) => thread.find(isIt) ?? null,
  })
  const { data: window } = useQuery<ThreadWindow | null>({
    queryKey: messageKeys.window(otherUserId),
    queryFn: skipToken,
  })
  const { data: changes } = useQuery<ChangeLog>({
    queryKey: messageKeys.changes(otherUserId),
    queryFn: skipToken,
  })
  const wish = useOptimisticEdits((wishes) => (id ? wishes[id] : undefined))
  if (!taken) return null
  const held = inThread ?? window?.messages.find(isIt) ?? taken
  return applyOptimisticEdit(withLoggedChanges(changes, [held])[0] ?? held, wish, me)
}
