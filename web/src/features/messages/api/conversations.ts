import { limits } from '@contract/limits.ts'
import { Conversation } from '@contract/message.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import { type ConversationList, mergeFirstPage, mergeNextPage } from '../model/conversations'
import { messageKeys } from './keys'

async function readPage(cursor: string | undefined, signal?: AbortSignal): Promise<ConversationList> {
  return api.page(
    withQuery('/api/messages/conversations', { limit: limits.page.conversations, cursor }),
    Conversation,
    signal ? { signal } : {},
  )
}

/** The signed-in person's conversations, the latest first. */
export const conversationsQuery = queryOptions({
  queryKey: messageKeys.conversations,
  queryFn: async ({ signal }): Promise<ConversationList> => {
    const page = await readPage(undefined, signal)
    return mergeFirstPage(queryClient.getQueryData<ConversationList>(messageKeys.conversations), page)
  },
})

/** Reads the next page of the list into the cache; does nothing on the last. */
export async function loadMoreConversations(): Promise<void> {
  const held = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  if (!held?.nextCursor) return
  const page = await readPage(held.nextCursor)
  queryClient.setQueryData<ConversationList>(messageKeys.conversations, (list) =>
    list ? mergeNextPage(list, page) : list,
  )
}
