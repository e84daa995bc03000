import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { messageKeys } from './keys'

/** Unread messages in all conversations; polled, and set at once by events. */
export const unreadMessagesQuery = queryOptions({
  queryKey: messageKeys.unread,
  queryFn: ({ signal }) => api.get('/api/messages/unread-count', Count, { signal }),
  refetchInterval: intervals.pollMs,
})
