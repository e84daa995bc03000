import type { ChatMessage } from '@contract/message.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { messageKeys } from '../api/keys'
import { threadQuery } from '../api/thread'
import { asHeard, type Changes } from '../realtime/changes'
import type { ThreadWindow } from '../realtime/window'
import { withWish } from '../realtime/wishes'
import { useWishes } from '../wishes'

/**
 * A message that was taken up some time ago, as it is now and as the person wants it: from where it is held, else as
 * far as was heard of it.
 */
export function useMessageNow(
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
  const { data: changes } = useQuery<Changes>({
    queryKey: messageKeys.changes(otherUserId),
    queryFn: skipToken,
  })
  const wish = useWishes((wishes) => (id ? wishes[id] : undefined))
  if (!taken) return null
  const held = inThread ?? window?.messages.find(isIt) ?? taken
  return withWish(asHeard(changes, [held])[0] ?? held, wish, me)
}
