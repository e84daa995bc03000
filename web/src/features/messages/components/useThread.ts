import { skipToken, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { usePageVisible } from '@/lib/usePageVisible'
import { useConnection } from '@/realtime'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { messageKeys } from '../api/keys'
import { markConversationRead } from '../api/mark-read'
import { closeMessageWindow, extendMessageWindow } from '../api/message-window'
import { loadOlderMessages, threadQuery } from '../api/thread'
import { firstUnreadId, type ThreadAtOpen, toBubbles } from '../model/bubbles'
import { useOptimisticEdits } from '../model/optimistic-edits'
import { hasOlder, type Thread } from '../model/thread'
import type { ThreadWindow } from '../model/thread-window'
import { useOutboxItems } from '../outbox/useOutbox'
import type { ThreadEdge } from './useThreadScroll'

/** Milliseconds between two readings of the open thread while nothing is pushed, or the last reading failed. */
const threadPoll = 15_000

const nothing: Thread = []

/**
 * The open thread with what is on its way, or the older stretch of it that is open instead, and the way to more. `live`
 * is the end of the thread in either case.
 */
export function useThread(me: string, otherUserId: string, unreadCount: number) {
  const joined = useConnection((connection) => connection.joined)
  const query = useQuery({
    ...threadQuery(otherUserId),
    // What was cached while nothing was pushed may be old.
    refetchOnMount: joined ? true : 'always',
    refetchInterval: ({ state }) => (joined && state.status !== 'error' ? false : threadPoll),
  })
  const thread = query.data
  const { data: window } = useQuery<ThreadWindow | null>({
    queryKey: messageKeys.window(otherUserId),
    queryFn: skipToken,
  })
  const items = useOutboxItems(otherUserId)
  const wishes = useOptimisticEdits()
  const live = useMemo(() => toBubbles(thread ?? nothing, items, me, wishes), [thread, items, me, wishes])
  const bubbles = useMemo(
    () => (window ? toBubbles(window.messages, [], me, wishes) : live),
    [window, live, me, wishes],
  )
  const opened = useOpened(thread, me, unreadCount)
  const unreadId = useMemo(() => firstUnreadId(bubbles, opened, me), [bubbles, opened, me])

  const older = useEdge(
    window ? hasOlder(window.messages) : thread ? hasOlder(thread) : false,
    useCallback(
      () => (window ? extendMessageWindow(otherUserId, 'before') : loadOlderMessages(otherUserId)),
      [window, otherUserId],
    ),
  )
  const newer = useEdge(
    Boolean(window),
    useCallback(() => extendMessageWindow(otherUserId, 'after'), [otherUserId]),
  )
  useMarkRead(me, otherUserId, window ? undefined : thread)

  // What one writes stands at the end of the thread. Ids grow: one that goes leaves an older one behind as the last.
  const written = items.at(-1)?.id
  const before = useRef(written)
  useEffect(() => {
    if (written && written > (before.current ?? '')) closeMessageWindow(otherUserId)
    before.current = written
  }, [written, otherUserId])
  return { query, bubbles, live, older, newer, unreadId }
}

/** One end of what is loaded, and the reading of what lies beyond: one page at a time. */
function useEdge(more: boolean, readPage: () => Promise<unknown>): ThreadEdge {
  const [state, setState] = useState<ThreadEdge['state']>('idle')
  const loading = useRef(false)
  const read = useCallback(async () => {
    if (loading.current) return
    loading.current = true
    setState('loading')
    try {
      await readPage()
      setState('idle')
    } catch (error) {
      redirectIfUnauthorized(error)
      setState('failed')
    } finally {
      loading.current = false
    }
  }, [readPage])
  return useMemo(() => ({ more, state, read: () => void read() }), [more, state, read])
}

/** How the thread stood when it was first seen here: what is read since moves no divider. */
function useOpened(thread: Thread | undefined, me: string, unreadCount: number): ThreadAtOpen | null {
  const [opened, setOpened] = useState<ThreadAtOpen | null>(null)
  if (thread && !opened) {
    const unread = thread.filter((message) => message.receiverId === me && !message.isRead).length
    // All that is loaded may be unread, and more before it.
    const all = unread > 0 && hasOlder(thread) ? Math.max(unread, unreadCount) : unread
    setOpened({ seq: thread.at(-1)?.seq ?? 0, unread: all })
  }
  return opened
}

/** Marks the thread read while somebody is looking at it. */
function useMarkRead(me: string, otherUserId: string, thread: Thread | undefined): void {
  const visible = usePageVisible()
  const marked = useRef(0)
  const lastUnread = thread?.findLast((message) => message.receiverId === me && !message.isRead)?.seq ?? 0
  const lastSeq = thread?.at(-1)?.seq ?? 0
  useEffect(() => {
    if (!visible || lastUnread <= marked.current) return
    const before = marked.current
    marked.current = lastSeq
    markConversationRead(me, otherUserId, lastSeq).catch((error: unknown) => {
      redirectIfUnauthorized(error)
      // The next message, or the next look at the page, tries again.
      marked.current = before
    })
  }, [visible, lastUnread, lastSeq, me, otherUserId])
}
