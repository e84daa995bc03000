import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useConnection } from '@/lib/realtime'
import { handleUnauthorized } from '@/lib/unauthorized'
import { usePageVisible } from '@/lib/usePageVisible'
import { markConversationRead } from '../api/read'
import { loadOlder, threadQuery } from '../api/thread'
import { useOutboxItems } from '../outbox/useOutbox'
import { hasOlder } from '../realtime/thread'
import { toBubbles } from './groups'

/** Milliseconds between two readings of the open thread while nothing is pushed. */
const threadPoll = 15_000

/** The open thread with what is on its way, and the way to older messages. */
export function useThread(me: string, otherUserId: string) {
  const joined = useConnection((connection) => connection.joined)
  const query = useQuery({
    ...threadQuery(otherUserId),
    // What was cached while nothing was pushed may be old.
    refetchOnMount: joined ? true : 'always',
    refetchInterval: joined ? false : threadPoll,
  })
  const thread = query.data
  const items = useOutboxItems(otherUserId)
  const bubbles = useMemo(() => toBubbles(thread ?? [], items, me), [thread, items, me])

  const [olderState, setOlderState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const loading = useRef(false)
  const readOlder = useCallback(async () => {
    if (loading.current) return
    loading.current = true
    setOlderState('loading')
    try {
      await loadOlder(otherUserId)
      setOlderState('idle')
    } catch (error) {
      handleUnauthorized(error)
      setOlderState('failed')
    } finally {
      loading.current = false
    }
  }, [otherUserId])

  useMarkRead(me, otherUserId, thread)
  return {
    query,
    bubbles,
    older: { more: thread ? hasOlder(thread) : false, state: olderState, read: readOlder },
  }
}

/** Marks the thread read while somebody is looking at it. */
function useMarkRead(
  me: string,
  otherUserId: string,
  thread: { receiverId: string; isRead: boolean; seq: number }[] | undefined,
): void {
  const visible = usePageVisible()
  const marked = useRef(0)
  const lastUnread = thread?.findLast((message) => message.receiverId === me && !message.isRead)?.seq ?? 0
  const lastSeq = thread?.at(-1)?.seq ?? 0
  useEffect(() => {
    if (!visible || lastUnread <= marked.current) return
    const before = marked.current
    marked.current = lastSeq
    markConversationRead(me, otherUserId, lastSeq).catch((error: unknown) => {
      handleUnauthorized(error)
      // The next message, or the next look at the page, tries again.
      marked.current = before
    })
  }, [visible, lastUnread, lastSeq, me, otherUserId])
}
