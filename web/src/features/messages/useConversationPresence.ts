import { accessChanged, accessChangedEvent, typingEvent } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isPageExiting } from '@/lib/page-exit'
import { useConversationChannel } from '@/realtime'
import { throttle } from '@/realtime/throttle'
import { useCurrentUser } from '@/session/session'
import { invalidateMessageAccess } from './api/message-access'

/** Milliseconds: how often to say that one types, and how long hearing it once lasts. */
const sayEvery = 2000
const lasts = 5000
/** Milliseconds between two readings of who may write to whom: the other person can say that it changed, too. */
const readAccessEvery = 5000

/**
 * What the two people of a conversation tell each other directly: presence and typing. Nobody is joined to where
 * nothing may be written, and who has not written there shows nothing: to write to somebody who does not answer buys
 * nothing. Who hides that they are online or that they type sees it of the other all the same. For a component that is
 * mounted anew for each conversation.
 */
export function useConversationPresence(
  me: string,
  otherUserId: string,
  { canMessage, hasWritten }: { canMessage: boolean; hasWritten: boolean },
) {
  const client = useQueryClient()
  const { user } = useCurrentUser()
  const showOnline = hasWritten && user?.showOnline === true
  const showTyping = hasWritten && user?.showTyping === true
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saidAt = useRef(0)
  const [listRead] = useState(() =>
    throttle(readAccessEvery, () => invalidateMessageAccess(client, otherUserId)),
  )

  const { online, send } = useConversationChannel(
    canMessage ? me : undefined,
    canMessage ? otherUserId : undefined,
    (event, payload) => {
      if (event === accessChangedEvent) {
        // The message itself tells of the other: nothing to be read, and nothing that a refusal would have to wait for.
        if (!accessChanged.safeParse(payload).data?.firstWrittenBy) listRead.call()
        return
      }
      const heard = event === 'typing' ? typingEvent.safeParse(payload) : null
      if (!heard?.success || heard.data.userId !== otherUserId) return
      clearTimeout(timer.current)
      setTyping(heard.data.typing)
      if (heard.data.typing) timer.current = setTimeout(() => setTyping(false), lasts)
    },
    showOnline,
    // The server closes the topic where access ends, maybe before it could say why.
    () => {
      if (!isPageExiting()) listRead.call()
    },
  )

  useEffect(() => () => clearTimeout(timer.current), [])
  // The list of conversations outlives this one.
  useEffect(() => listRead.flush, [listRead])

  // Who is gone from here may be gone from the site, or show no more that they are here: the list knows.
  const wasOnline = useRef(online)
  useEffect(() => {
    if (wasOnline.current && !online) listRead.call()
    wasOnline.current = online
  }, [online, listRead])

  /** Tells the other that one is typing; an empty box means no longer. */
  const say = useCallback(
    (isTyping: boolean) => {
      if (!showTyping) return
      const now = Date.now()
      if (isTyping && now - saidAt.current < sayEvery) return
      if (!isTyping && saidAt.current === 0) return
      saidAt.current = isTyping ? now : 0
      send('typing', { userId: me, typing: isTyping })
    },
    [me, send, showTyping],
  )

  return { online, typing, say }
}
