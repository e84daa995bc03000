import { intervals } from '@contract/intervals.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { usePageVisible } from '@/lib/browser'
import { isMissing } from '@/lib/errors'
import { conversationName } from '@/lib/text'
import { useConnection } from '@/realtime/connection'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { toast } from '@/ui/toaster'
import { conversationsQuery, markConversationRead, recipientQuery } from '../api/conversations'
import { messageKeys } from '../api/keys'
import {
  closeMessageWindow,
  extendMessageWindow,
  findCachedMessage,
  isInLiveThread,
  loadOlderMessages,
  openMessageWindow,
  threadQuery,
} from '../api/thread'
import { firstUnreadId, type ThreadAtOpen, toBubbles } from '../model/bubbles'
import { useOptimisticEdits } from '../model/optimistic-edits'
import { hasOlder, type Thread, type ThreadWindow } from '../model/thread'
import { useOutboxItems } from '../outbox/useOutbox'
import type { ScrollTarget, ThreadEdge } from './useThreadScroll'

/** The polling interval of the open thread while events are not pushed or the last request failed. */
const threadPollMs = 15_000

const emptyThread: Thread = []

/**
 * Returns what the open conversation displays: the live thread with its outbox items or, if a window of older messages
 * is open, that window. `liveBubbles` are the bubbles of the live thread in both cases. A preview leaves the messages
 * unread.
 */
export function useThread(me: string, otherUserId: string, unreadCount: number, isPreview: boolean) {
  const joined = useConnection((connection) => connection.joined)
  const query = useQuery({
    ...threadQuery(otherUserId),
    // Without pushed events the cached thread may be outdated.
    refetchOnMount: joined ? true : 'always',
    refetchInterval: ({ state }) => (joined && state.status !== 'error' ? false : threadPollMs),
  })
  const thread = query.data
  const { data: messageWindow } = useQuery<ThreadWindow | null>({
    queryKey: messageKeys.window(otherUserId),
    queryFn: skipToken,
  })
  const outboxItems = useOutboxItems(otherUserId)
  const edits = useOptimisticEdits()
  const liveBubbles = useMemo(
    () => toBubbles(thread ?? emptyThread, outboxItems, me, edits),
    [thread, outboxItems, me, edits],
  )
  const bubbles = useMemo(
    () => (messageWindow ? toBubbles(messageWindow.messages, [], me, edits) : liveBubbles),
    [messageWindow, liveBubbles, me, edits],
  )
  const threadAtOpen = useThreadAtOpen(thread, me, unreadCount, isPreview)
  const unreadId = useMemo(() => firstUnreadId(bubbles, threadAtOpen, me), [bubbles, threadAtOpen, me])

  const older = useThreadEdge(
    messageWindow ? hasOlder(messageWindow.messages) : thread ? hasOlder(thread) : false,
    useCallback(
      () => (messageWindow ? extendMessageWindow(otherUserId, 'before') : loadOlderMessages(otherUserId)),
      [messageWindow, otherUserId],
    ),
  )
  const newer = useThreadEdge(
    Boolean(messageWindow),
    useCallback(() => extendMessageWindow(otherUserId, 'after'), [otherUserId]),
  )
  useMarkRead(me, otherUserId, messageWindow || isPreview ? undefined : thread)

  // Closes the window when the user writes a message, which appears at the end of the live thread. Ids increase, so
  // after an item is sent and removed, the last remaining id is lower and does not count as new.
  const lastItemId = outboxItems.at(-1)?.id
  const previousItemId = useRef(lastItemId)
  useEffect(() => {
    if (lastItemId && lastItemId > (previousItemId.current ?? '')) closeMessageWindow(otherUserId)
    previousItemId.current = lastItemId
  }, [lastItemId, otherUserId])
  return { query, bubbles, liveBubbles, older, newer, unreadId }
}

/** Returns the state of one end of the loaded messages. `load` loads one page at a time. */
function useThreadEdge(hasMore: boolean, loadPage: () => Promise<unknown>): ThreadEdge {
  const [state, setState] = useState<ThreadEdge['state']>('idle')
  const isLoading = useRef(false)
  const load = useCallback(async () => {
    if (isLoading.current) return
    isLoading.current = true
    setState('loading')
    try {
      await loadPage()
      setState('idle')
    } catch (error) {
      redirectIfUnauthorized(error)
      setState('failed')
    } finally {
      isLoading.current = false
    }
  }, [loadPage])
  return useMemo(() => ({ hasMore, state, load: () => void load() }), [hasMore, state, load])
}

/**
 * Returns the state that the thread had when it was first loaded, so that reading messages does not move the unread
 * divider. During a preview, nothing is read yet, so messages that arrive count as unread.
 */
function useThreadAtOpen(
  thread: Thread | undefined,
  me: string,
  unreadCount: number,
  isPreview: boolean,
): ThreadAtOpen | null {
  const [threadAtOpen, setThreadAtOpen] = useState<ThreadAtOpen | null>(null)
  const lastSeq = thread?.at(-1)?.seq ?? 0
  if (thread && (!threadAtOpen || (isPreview && threadAtOpen.seq !== lastSeq))) {
    const loadedUnread = thread.filter((message) => message.receiverId === me && !message.isRead).length
    // There may be more unread messages before the loaded ones.
    const unread = loadedUnread > 0 && hasOlder(thread) ? Math.max(loadedUnread, unreadCount) : loadedUnread
    setThreadAtOpen({ seq: lastSeq, unread })
  }
  return threadAtOpen
}

/** Marks the thread as read while the page is visible. */
function useMarkRead(me: string, otherUserId: string, thread: Thread | undefined): void {
  const visible = usePageVisible()
  const markedSeq = useRef(0)
  const lastUnreadSeq = thread?.findLast((message) => message.receiverId === me && !message.isRead)?.seq ?? 0
  const lastSeq = thread?.at(-1)?.seq ?? 0
  useEffect(() => {
    if (!visible || lastUnreadSeq <= markedSeq.current) return
    const previousSeq = markedSeq.current
    markedSeq.current = lastSeq
    markConversationRead(me, otherUserId, lastSeq).catch((error: unknown) => {
      redirectIfUnauthorized(error)
      // Retried when the next message arrives or the page becomes visible again.
      markedSeq.current = previousSeq
    })
  }, [visible, lastUnreadSeq, lastSeq, me, otherUserId])
}

/**
 * Goes to a message of the open conversation when the user clicks a quote, and each time a URL with `?message=` is
 * opened, as soon as the thread is loaded (`ready`). `returnToEnd` goes back to the end of the live thread.
 */
export function useScrollToMessage(otherUserId: string, ready: boolean) {
  const [target, setTarget] = useState<ScrollTarget | null>(null)
  const [params, setParams] = useSearchParams()
  const { key: locationKey } = useLocation()
  const urlMessageId = params.get('message')?.toLowerCase() ?? null
  const requestedId = useRef<string>(undefined)

  const { mutate: goToMessage } = useMutation({
    mutationFn: async (messageId: string) => {
      requestedId.current = messageId
      if (isInLiveThread(otherUserId, messageId)) closeMessageWindow(otherUserId)
      else if (
        !findCachedMessage(otherUserId, messageId) &&
        !(await openMessageWindow(otherUserId, messageId))
      ) {
        toast({
          title: t`Error`,
          description: t`This message isn't in this conversation.`,
          tone: 'destructive',
        })
        return
      }
      // Does nothing if another message was requested in the meantime.
      if (requestedId.current === messageId) setTarget({ messageId })
    },
    meta: { errorMessage: t`Couldn't load the message. Try again.` },
  })

  const handledUrl = useRef<string>(undefined)
  useEffect(() => {
    const url = `${locationKey} ${urlMessageId}`
    if (!ready || !urlMessageId || handledUrl.current === url) return
    handledUrl.current = url
    goToMessage(urlMessageId)
  }, [ready, urlMessageId, locationKey, goToMessage])

  // A conversation that is opened again starts at its end.
  useEffect(() => () => closeMessageWindow(otherUserId), [otherUserId])

  const returnToEnd = useCallback(() => {
    closeMessageWindow(otherUserId)
    setTarget(null)
    if (urlMessageId) setParams({ user: otherUserId }, { replace: true, preventScrollReset: true })
  }, [otherUserId, urlMessageId, setParams])
  return { target, goToMessage, returnToEnd }
}

/**
 * Returns the other user and whether they can be messaged. The user is fetched if the conversation is not in the loaded
 * list, or if it does not allow messaging.
 */
export function useConversationPartner(otherUserId: string) {
  const { user: viewer } = useCurrentUser()
  const list = useQuery({
    ...conversationsQuery,
    // While `canMessage` is false, the conversation's realtime channel is not joined, so no event reports when it
    // becomes true.
    refetchInterval: (query) => {
      const cached = query.state.data?.items.find((item) => item.otherUserId === otherUserId)
      return cached && !cached.canMessage ? intervals.pollMs : false
    },
  })
  const conversation = list.data?.items.find((item) => item.otherUserId === otherUserId)
  const recipient = useQuery({
    ...recipientQuery(otherUserId, viewer?.emailConfirmed),
    enabled: list.isFetched && !conversation?.canMessage,
  })
  // The list may not be loaded far enough to include the conversation.
  const { data: hasOwnMessage } = useQuery({
    ...threadQuery(otherUserId),
    enabled: false,
    select: (thread) => thread.some((message) => message.senderId !== otherUserId),
  })
  const user: UserCard | undefined = conversation?.otherUser ?? recipient.data
  const source = conversation ?? recipient.data
  // While a refetch is in progress, the cached response may be outdated.
  const hasDisabledMessages =
    recipient.isSuccess && !recipient.isFetching && recipient.data.allowDirectMessages === false
  const missing = !user && isMissing(recipient.error)
  const name = conversationName(user)
  const refusal = hasDisabledMessages
    ? t`This user has disabled direct messages`
    : missing
      ? t`You can't message this person.`
      : t`You can't message ${name} right now.`
  return {
    user,
    presence: conversation?.presence,
    isSubscriber: conversation?.isSubscriber ?? false,
    unreadCount: conversation?.unreadCount ?? 0,
    loading: !user && (list.isPending || recipient.isLoading),
    missing,
    failed: !user && recipient.isError && !missing,
    retry: () => void recipient.refetch(),
    canMessage: source?.canMessage ?? false,
    /** Whether the current user has written to the partner, as far as the loaded data shows. */
    hasWritten: conversation?.hasWritten || hasOwnMessage || false,
    refusal: missing || (source && !source.canMessage) ? refusal : null,
    /** Whether the viewer may be able to message the partner after confirming their own email address. */
    needsConfirmation:
      viewer?.emailConfirmed === false && !missing && !hasDisabledMessages && source?.canMessage === false,
  }
}
