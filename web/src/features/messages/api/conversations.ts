import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { Conversation, MessageSearchResult } from '@contract/message.ts'
import { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryClient } from '@/lib/query-client'
import { useConnection } from '@/realtime/connection'
import { applyOwnRead } from '../cache-updates'
import { type ConversationList, markAllRead, mergeFirstPage, mergeNextPage } from '../model/conversations'
import { applyRead, type Thread } from '../model/thread'
import { messageKeys } from './keys'

/** The interval at which the list is refetched while events are pushed: they do not cover who is online. */
const presencePollMs = 60_000

/** Loads the conversations and keeps them current: by events while the channel is joined, otherwise by polling. */
export function useConversations() {
  const joined = useConnection((connection) => connection.joined)
  return useQuery({
    ...conversationsQuery,
    refetchOnMount: joined ? true : 'always',
    refetchInterval: joined ? presencePollMs : intervals.pollMs,
  })
}

/** The current user's conversations, latest first. */
export const conversationsQuery = queryOptions({
  queryKey: messageKeys.conversations,
  queryFn: async ({ signal }): Promise<ConversationList> => {
    const page = await fetchConversations(undefined, signal)
    return mergeFirstPage(queryClient.getQueryData<ConversationList>(messageKeys.conversations), page)
  },
})

/** Loads the next page of the list into the cache; does nothing after the last page. */
export async function loadMoreConversations(): Promise<void> {
  const cached = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  if (!cached?.nextCursor) return
  const page = await fetchConversations(cached.nextCursor)
  queryClient.setQueryData<ConversationList>(messageKeys.conversations, (list) =>
    list ? mergeNextPage(list, page) : list,
  )
}

async function fetchConversations(
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<ConversationList> {
  return api.page(
    withQuery('/api/messages/conversations', { limit: limits.page.conversations, cursor }),
    Conversation,
    signal ? { signal } : {},
  )
}

/** The number of unread messages in all conversations; polled, and updated by events. */
export const unreadMessagesQuery = queryOptions({
  queryKey: messageKeys.unread,
  queryFn: ({ signal }) => api.get('/api/messages/unread-count', Count, { signal }),
  refetchInterval: intervals.pollMs,
})

/**
 * Marks the thread with a user read.
 *
 * @param lastSeq the newest message that was on screen
 */
export async function markConversationRead(me: string, otherUserId: string, lastSeq: number): Promise<void> {
  const applyCount = captureCount(queryClient, messageKeys.unread)
  const unread = await api.patch(`/api/messages/${encodeURIComponent(otherUserId)}/read`, undefined, Count)
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
    applyRead(thread, me, lastSeq),
  )
  if (applyOwnRead(queryClient, me, otherUserId, lastSeq)) applyCount(unread)
}

/** Marks every conversation read. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: () => api.post('/api/messages/mark-all-read', undefined, Count),
    onMutate: () => ({ applyCount: captureCount(queryClient, messageKeys.unread) }),
    onSuccess: (unread, _, { applyCount }) => {
      queryClient.setQueryData<ConversationList>(messageKeys.conversations, markAllRead)
      applyCount(unread)
    },
    onSettled: () => invalidateQueries(queryClient, { queryKey: messageKeys.conversations }),
    meta: { errorMessage: t`Couldn't mark all as read. Try again.` },
  })
}

/** Refetches what says whether the user can send messages to `otherUserId`, because that may have changed. */
export function invalidateMessageAccess(client: QueryClient, otherUserId: string): void {
  void client.invalidateQueries({ queryKey: messageKeys.conversations })
  void client.invalidateQueries({ queryKey: messageKeys.recipient(otherUserId) })
}

/**
 * The other user of a conversation that has no messages yet. Fetched again once the viewer's email address is confirmed,
 * because the viewer can then message more people.
 */
export function recipientQuery(userId: string, emailConfirmed = true) {
  return queryOptions({
    queryKey: [...messageKeys.recipient(userId), emailConfirmed],
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(userId)}`, User, { signal }),
  })
}

/** More users than are suggested, because some of them may be in the conversation list already. */
const suggestionSearchLimit = 10

/** Users who match `query`, to start a conversation with. */
export function recipientSuggestionsQuery(query: string) {
  return queryOptions({
    queryKey: messageKeys.suggestions(query),
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/users/search', { q: query, limit: suggestionSearchLimit }), z.array(User), {
        signal,
      }),
    staleTime: 30_000,
  })
}

/** Returns the first users found who are not in `conversations`, which are listed below the suggestions. */
export function pickSuggestions<FoundUser extends Pick<User, 'id'>>(
  foundUsers: readonly FoundUser[],
  conversations: readonly Pick<Conversation, 'otherUserId'>[],
): FoundUser[] {
  const listedIds = new Set(conversations.map(({ otherUserId }) => otherUserId))
  return foundUsers.filter(({ id }) => !listedIds.has(id)).slice(0, limits.conversationSuggestions)
}

/** Pages of the messages in the user's conversations that contain `query`, latest first. */
export function messageSearchQuery(query: string) {
  return infiniteQueryOptions({
    queryKey: messageKeys.search(query),
    queryFn: ({ pageParam, signal }) =>
      api.page(
        withQuery('/api/messages/search', {
          q: query,
          limit: limits.page.messageSearchResults,
          cursor: pageParam ?? undefined,
        }),
        MessageSearchResult,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (lastPage) => lastPage.nextCursor,
    staleTime: 30_000,
  })
}
