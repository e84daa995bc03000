import { ChatMessage } from '@contract/message.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { queryClient } from '@/lib/queryClient'
import { mergeNewest, mergeOlder, type Thread } from '../realtime/thread'
import { messageKeys } from './keys'

const Messages = z.array(ChatMessage)
const path = (otherUserId: string) => `/api/messages/${encodeURIComponent(otherUserId)}`

/** The messages with one person: the newest 50, and whatever older ones were loaded before. */
export function threadQuery(otherUserId: string) {
  const queryKey = messageKeys.thread(otherUserId)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Thread> => {
      const page = await api.get(path(otherUserId), Messages, { signal })
      // Read after the answer came: what was pushed meanwhile is in there.
      return mergeNewest(queryClient.getQueryData<Thread>(queryKey), page)
    },
  })
}

/** Reads the messages before the oldest one held into the cache. */
export async function loadOlder(otherUserId: string): Promise<void> {
  const queryKey = messageKeys.thread(otherUserId)
  const oldest = queryClient.getQueryData<Thread>(queryKey)?.[0]
  if (!oldest) return
  const page = await api.get(withQuery(path(otherUserId), { before: oldest.id }), Messages)
  queryClient.setQueryData<Thread>(queryKey, (thread) => (thread ? mergeOlder(thread, page) : thread))
}
