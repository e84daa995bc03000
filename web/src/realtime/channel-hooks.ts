import { conversationTopic, userTopic } from '@contract/events.ts'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type ChannelHandle, type ChannelListener, joinChannel } from './channels'
import { resetConnection, setChannelJoined, startConnecting } from './connection'

/** The number of mounted components that use the user's own channel. */
let userChannelCount = 0

/**
 * `onJoined` runs after each join and whenever the device wakes up, because data that was fetched earlier may be
 * outdated. `isFirst` is true for the first join since the component was mounted: data that was fetched right before it
 * is still current.
 */
interface ChannelHandlers {
  onEvent: (event: string, payload: unknown) => void
  onJoined: (isFirst: boolean) => void
}

/** Subscribes to the user's own topic while mounted. The handlers may change with every render. */
export function useUserChannel(userId: string | undefined, handlers: ChannelHandlers): void {
  const onEvent = useEffectEvent(handlers.onEvent)
  const onJoined = useEffectEvent(handlers.onJoined)
  useEffect(() => {
    if (!userId) return
    let isFirst = true
    userChannelCount += 1
    startConnecting()
    const channel = joinChannel(userTopic(userId), {
      onEvent: (event, payload) => onEvent(event, payload),
      onStatus: (joined) => {
        setChannelJoined(joined)
        if (!joined) return
        onJoined(isFirst)
        isFirst = false
      },
    })
    return () => {
      channel.release()
      userChannelCount -= 1
      if (userChannelCount === 0) resetConnection()
    }
  }, [userId])
}

/**
 * Subscribes to the topic of a post or profile while mounted. `onLeft` runs when the server has closed the channel, for
 * example because the user no longer has access to the post, and when the connection has been lost.
 */
export function useContentChannel(
  topic: string | undefined,
  handlers: ChannelHandlers & { onLeft: () => void },
): void {
  const onEvent = useEffectEvent(handlers.onEvent)
  const onJoined = useEffectEvent(handlers.onJoined)
  const onLeft = useEffectEvent(handlers.onLeft)
  useEffect(() => {
    if (!topic) return
    let isFirst = true
    let wasJoined = false
    const channel = joinChannel(topic, {
      onEvent: (event, payload) => onEvent(event, payload),
      onStatus: (joined) => {
        if (joined) {
          onJoined(isFirst)
          isFirst = false
        } else if (wasJoined) onLeft()
        wasJoined = joined
      },
    })
    return channel.release
  }, [topic])
}

/**
 * Joins the topic of a conversation while mounted. `visible` makes the user's presence visible to the other user.
 * `onLeft` runs when the connection has been lost, and when the server has closed the channel because the user is no
 * longer allowed to use it.
 *
 * @returns `online`: whether the other user has the conversation open; `send`: broadcasts an event to them
 */
export function useConversationChannel(
  userId: string | undefined,
  otherUserId: string | undefined,
  onEvent: (event: string, payload: unknown) => void,
  visible: boolean,
  onLeft: () => void,
): { online: boolean; send: ChannelHandle['send'] } {
  const reportEvent = useEffectEvent(onEvent)
  const reportLeft = useEffectEvent(onLeft)
  const [presentUserIds, setPresentUserIds] = useState<string[]>([])
  const channel = useRef<ChannelHandle | null>(null)

  useEffect(() => {
    if (!userId || !otherUserId) return
    let wasJoined = false
    const listener: ChannelListener = {
      onEvent: (event, payload) => reportEvent(event, payload),
      onStatus: (joined) => {
        if (wasJoined && !joined) reportLeft()
        wasJoined = joined
      },
      onPresence: setPresentUserIds,
    }
    const joinedChannel = joinChannel(conversationTopic(userId, otherUserId), listener, {
      key: userId,
      visible,
    })
    channel.current = joinedChannel
    return () => {
      // `channel` keeps the handle on purpose: it can send one last event, such as the end of typing.
      joinedChannel.release()
      setPresentUserIds([])
    }
  }, [userId, otherUserId, visible])

  const send = useCallback<ChannelHandle['send']>(
    (event, payload) => channel.current?.send(event, payload),
    [],
  )
  return { online: otherUserId !== undefined && presentUserIds.includes(otherUserId), send }
}
