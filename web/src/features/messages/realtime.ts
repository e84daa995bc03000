import { accessChanged, accessChangedEvent, typingEvent } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isPageExiting } from '@/lib/leave-guard'
import { useConversationChannel, useUserChannel } from '@/realtime/channel-hooks'
import { throttle } from '@/realtime/throttle'
import { useCurrentUser } from '@/session/session'
import { invalidateMessageAccess } from './api/conversations'
import { applyMessagesEvent, invalidateMessages } from './cache-updates'
import { currentOutbox, useRunOutbox } from './outbox/useOutbox'

/**
 * Keeps the message caches current and the outbox sending while mounted. The header's messages button calls this hook,
 * because the button is mounted on every screen of a signed-in user. Events are idempotent: applying one twice changes
 * nothing.
 */
export function useMessagesRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  useRunOutbox(userId)

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      if (!userId) return
      const { receivedMessageId } = applyMessagesEvent(client, userId, event, payload)
      if (receivedMessageId) currentOutbox()?.removeStored(receivedMessageId)
    },
    onJoined: () => invalidateMessages(client),
  })
}

/** How often `typing` is broadcast while the user types. */
const typingThrottleMs = 2000
/** How long one broadcast keeps the typing indicator visible. */
const typingTimeoutMs = 5000
/** The minimum time between two refetches of message access. Limited, because the other user can trigger them. */
const accessThrottleMs = 5000

/**
 * Joins the channel that the two users of a conversation share, and returns the other user's presence and typing state.
 *
 * - Does not join while `canMessage` is false.
 * - A user who has not written in the conversation sends neither presence nor typing. Otherwise, anyone could find out
 *   whether somebody is online by sending them a message.
 * - A user who hides their own presence or typing still sees the other's, and so does a user who only previews the
 *   conversation.
 *
 * The component must be remounted for each conversation.
 */
export function useConversationPresence(
  me: string,
  otherUserId: string,
  { canMessage, hasWritten }: { canMessage: boolean; hasWritten: boolean },
  isPreview: boolean,
) {
  const client = useQueryClient()
  const { user } = useCurrentUser()
  const showOnline = hasWritten && !isPreview && user?.showOnline === true
  const showTyping = hasWritten && !isPreview && user?.showTyping === true
  const [typing, setTyping] = useState(false)
  const typingTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastTypingSentAt = useRef(0)
  const [accessRefetch] = useState(() =>
    throttle(accessThrottleMs, () => invalidateMessageAccess(client, otherUserId)),
  )

  const { online, send } = useConversationChannel(
    canMessage ? me : undefined,
    canMessage ? otherUserId : undefined,
    (event, payload) => {
      if (event === accessChangedEvent) {
        // A first message changes access too, but `message.created` reports it, so nothing needs to be refetched.
        if (!accessChanged.safeParse(payload).data?.firstWrittenBy) accessRefetch.call()
        return
      }
      const parsed = event === 'typing' ? typingEvent.safeParse(payload) : null
      if (!parsed?.success || parsed.data.userId !== otherUserId) return
      clearTimeout(typingTimer.current)
      setTyping(parsed.data.typing)
      if (parsed.data.typing) typingTimer.current = setTimeout(() => setTyping(false), typingTimeoutMs)
    },
    showOnline,
    // The server closes the channel when access ends, possibly before `access.changed` arrives.
    () => {
      if (!isPageExiting()) accessRefetch.call()
    },
  )

  useEffect(() => () => clearTimeout(typingTimer.current), [])
  // The conversation list outlives this component, so a pending refetch runs on unmount.
  useEffect(() => accessRefetch.flush, [accessRefetch])

  // When the other user's presence ends, they may have closed the conversation, gone offline or hidden their presence.
  // The refetched conversation list shows whether they still appear online.
  const wasOnline = useRef(online)
  useEffect(() => {
    if (wasOnline.current && !online) accessRefetch.call()
    wasOnline.current = online
  }, [online, accessRefetch])

  /** Broadcasts whether the user is typing; false immediately clears the indicator that the other user sees. */
  const sendTyping = useCallback(
    (isTyping: boolean) => {
      if (!showTyping) return
      const now = Date.now()
      if (isTyping && now - lastTypingSentAt.current < typingThrottleMs) return
      if (!isTyping && lastTypingSentAt.current === 0) return
      lastTypingSentAt.current = isTyping ? now : 0
      send('typing', { userId: me, typing: isTyping })
    },
    [me, send, showTyping],
  )

  return { online, typing, sendTyping }
}
