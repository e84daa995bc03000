import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import {
  Conversation,
  ConversationDetails,
  type ConversationFilter,
  MessagePhoto,
  MessageSearchResult,
  UserNote,
} from '@contract/message.ts'
import { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { z } from 'zod'
import { api, pagedList, withQuery } from '@/lib/api'
import { parseJson } from '@/lib/json'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryClient } from '@/lib/query-client'
import { createDraftStore, useStoredDraft } from '@/lib/storage'
import { useConnection } from '@/realtime/connection'
import { applyOwnRead, updateConversationLists } from '../cache-updates'
import {
  type ConversationList,
  markAllRead,
  mergeFilteredPage,
  mergeFirstPage,
  mergeNextPage,
} from '../model/conversations'
import { applyRead, type Thread } from '../model/thread'
import { messageKeys } from './keys'

/** The interval at which the list is refetched while events are pushed: the events do not report who is online. */
const presencePollMs = 60_000

/**
 * Loads the conversations, or those that a filter selects. Events keep them up to date while the user's own realtime
 * channel is joined; otherwise, polling does.
 *
 * @param openUserId the other user of the open conversation, which stays in a filtered list
 */
export function useConversations(filter?: ConversationFilter, openUserId: string | null = null) {
  const joined = useConnection((connection) => connection.joined)
  return useQuery({
    ...conversationListQuery(filter, openUserId),
    refetchOnMount: joined ? true : 'always',
    refetchInterval: joined ? presencePollMs : intervals.pollMs,
  })
}

/**
 * The current user's conversations, or those that a filter selects, latest first. A conversation that the user reads or
 * answers stays in a filtered list until the user leaves the list, so that it does not disappear under the pointer.
 * Therefore, a filtered list is not cached after the user has left it.
 */
function conversationListQuery(filter?: ConversationFilter, openUserId: string | null = null) {
  const queryKey = messageKeys.conversationList(filter)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<ConversationList> => {
      const before = queryClient.getQueryData<ConversationList>(queryKey)
      const page = await fetchConversations({ filter }, signal)
      const list = queryClient.getQueryData<ConversationList>(queryKey)
      return filter
        ? mergeFilteredPage(list, page, { filter, before, openUserId })
        : mergeFirstPage(list, page, before)
    },
    ...(filter && { gcTime: 0 }),
  })
}

export const conversationsQuery = conversationListQuery()

/** Loads the next page of a list into the cache; does nothing after the last page. */
export async function loadMoreConversations(filter?: ConversationFilter): Promise<void> {
  const queryKey = messageKeys.conversationList(filter)
  const cursor = queryClient.getQueryData<ConversationList>(queryKey)?.nextCursor
  if (!cursor) return
  const page = await fetchConversations({ filter, cursor })
  queryClient.setQueryData<ConversationList>(queryKey, (list) => (list ? mergeNextPage(list, page) : list))
}

async function fetchConversations(
  { filter, cursor }: { filter?: ConversationFilter | undefined; cursor?: string },
  signal?: AbortSignal,
): Promise<ConversationList> {
  return api.page(
    withQuery('/api/messages/conversations', { limit: limits.page.conversations, filter, cursor }),
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
 * Marks the thread with a user as read.
 *
 * @param lastSeq the `seq` of the newest message that was on screen
 */
export async function markConversationRead(me: string, otherUserId: string, lastSeq: number): Promise<void> {
  const applyCount = captureCount(queryClient, messageKeys.unread)
  const unread = await api.patch(`/api/messages/${encodeURIComponent(otherUserId)}/read`, undefined, Count)
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
    applyRead(thread, me, lastSeq),
  )
  if (applyOwnRead(queryClient, me, otherUserId, lastSeq)) applyCount(unread)
}

/** Marks every conversation as read. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: () => api.post('/api/messages/mark-all-read', undefined, Count),
    onMutate: () => ({ applyCount: captureCount(queryClient, messageKeys.unread) }),
    onSuccess: (unread, _, { applyCount }) => {
      updateConversationLists(queryClient, markAllRead)
      applyCount(unread)
    },
    onSettled: () => invalidateQueries(queryClient, { queryKey: messageKeys.conversations }),
    meta: { errorMessage: t`Couldn't mark all as read. Try again.` },
  })
}

/** Refetches the data that says whether the user can send messages to `otherUserId`, because it may have changed. */
export function invalidateMessageAccess(client: QueryClient, otherUserId: string): void {
  void client.invalidateQueries({ queryKey: messageKeys.conversations })
  void client.invalidateQueries({ queryKey: messageKeys.recipient(otherUserId) })
}

/**
 * The other user of a conversation that has no messages yet. Fetched again once the viewer's email address is
 * confirmed, because the viewer can then message more people.
 */
export function recipientQuery(userId: string, emailConfirmed = true) {
  return queryOptions({
    queryKey: [...messageKeys.recipient(userId), emailConfirmed],
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(userId)}`, User, { signal }),
  })
}

/** The number of users to request: more than are suggested, because some may already be in the conversation list. */
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

/** Pages of the messages that contain `query`, from all of the user's conversations, latest first. */
export function messageSearchQuery(query: string) {
  return infiniteQueryOptions({
    queryKey: messageKeys.search(query),
    ...pagedList(
      '/api/messages/search',
      { q: query, limit: limits.page.messageSearchResults },
      MessageSearchResult,
    ),
    staleTime: 30_000,
  })
}

/**
 * The relationship between the current user and another user, and the latest photos in their conversation. Always
 * stale, because no event reports that a user unfollows, cancels a subscription or gets a refund.
 */
export const conversationDetailsQuery = (otherUserId: string) =>
  queryOptions({
    queryKey: messageKeys.details(otherUserId),
    queryFn: ({ signal }) =>
      api.get(`/api/messages/${encodeURIComponent(otherUserId)}/details`, ConversationDetails, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Unsaved changes to a private note. */
const NoteDraft = z.object({
  text: z.string(),
  /** The stored note that the changes are based on. */
  previous: z.string(),
})

const noteDrafts = createDraftStore<z.infer<typeof NoteDraft> | null>({
  empty: () => null,
  parse: (stored) => NoteDraft.safeParse(parseJson(stored)).data,
  isEmpty: (draft) => draft === null,
})

const noteDraftName = (otherUserId: string) => `draft:note:${otherUserId}`

/** Returns the unsaved private note about another user, or null if there are no changes, and a function to set it. */
export function useNoteDraft(me: string, otherUserId: string) {
  const name = noteDraftName(otherUserId)
  return {
    draft: useStoredDraft(noteDrafts, me, name),
    writeDraft: (draft: z.infer<typeof NoteDraft> | null) => noteDrafts.set(me, name, draft),
  }
}

/**
 * Saves the current user's private note about another user, unless it was changed elsewhere. Then deletes the draft or,
 * if it has changed again, bases it on the saved note. The requests run one after another.
 */
export function useSaveNote(me: string, otherUserId: string) {
  const client = useQueryClient()
  const draftName = noteDraftName(otherUserId)
  const { queryKey } = conversationDetailsQuery(otherUserId)
  return useMutation({
    scope: { id: `messages:note:${otherUserId}` },
    mutationFn: (content: string) => {
      const previous = noteDrafts.get(me, draftName)?.previous ?? client.getQueryData(queryKey)?.note
      return api.put(`/api/messages/${encodeURIComponent(otherUserId)}/note`, { content, previous }, UserNote)
    },
    onSuccess: async ({ content }) => {
      await client.cancelQueries({ queryKey, exact: true })
      client.setQueryData(queryKey, (details) => details && { ...details, note: content })
      const draft = noteDrafts.get(me, draftName)
      if (draft)
        noteDrafts.set(me, draftName, draft.text.trim() === content ? null : { ...draft, previous: content })
    },
    // Replaces the request that may have been cancelled. After a conflict, this loads the note that is stored now.
    onSettled: () => void client.invalidateQueries({ queryKey, exact: true }),
  })
}

/** Pages of the photos in a conversation, newest first. */
export const messagePhotosQuery = (otherUserId: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.photos(otherUserId),
    ...pagedList(
      `/api/messages/${encodeURIComponent(otherUserId)}/photos`,
      { limit: limits.page.messagePhotos },
      MessagePhoto,
    ),
    staleTime: 0,
  })
