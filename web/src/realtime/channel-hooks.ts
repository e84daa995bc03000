import { conversationTopic, userTopic } from '@contract/events.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ChannelHandle, type ChannelListener, joinChannel } from './channels'
import { resetConnection, setChannelJoined, startConnecting } from './connection'

let userChannelUsers = 0

/**
 * Listens on the person's own topic while mounted. `onJoined` runs at every join and after every sleep: whatever
 * was read before that moment may be old. Both functions may change from render to render.
 */
export function useUserChannel(
  userId: string | undefined,
  handlers: { onEvent: (event: string, payload: unknown) => void; onJoined: () => void },
): void {
  const latest = useLatest(handlers)
  useEffect(() => {
    if (!userId) return
    userChannelUsers += 1
    startConnecting()
    const hold = joinChannel(userTopic(userId), {
      onEvent: (event, payload) => latest.current.onEvent(event, payload),
      onStatus: (joined) => {
        setChannelJoined(joined)
        if (joined) latest.current.onJoined()
      },
    })
    return () => {
      hold.release()
      userChannelUsers -= 1
      if (userChannelUsers === 0) resetConnection()
    }
  }, [userId, latest])
}

/**
 * Joins the topic that two people share while mounted, and is present there where `shown`. `online` says whether the
 * other has the conversation open too; `send` broadcasts to them. `onLost` runs each time the topic was joined and no
 * longer is: the connection broke, or the server says in this way that the two may not share it any more.
 */
export function useConversationChannel(
  userId: string | undefined,
  otherUserId: string | undefined,
  onEvent: (event: string, payload: unknown) => void,
  shown: boolean,
  onLost: () => void,
): { online: boolean; send: ChannelHandle['send'] } {
  const latest = useLatest({ onEvent, onLost })
  const [present, setPresent] = useState<string[]>([])
  const hold = useRef<ChannelHandle | null>(null)

  useEffect(() => {
    if (!userId || !otherUserId) return
    let wasJoined = false
    const listener: ChannelListener = {
      onEvent: (event, payload) => latest.current.onEvent(event, payload),
      onStatus: (joined) => {
        if (wasJoined && !joined) latest.current.onLost()
        wasJoined = joined
      },
      onPresence: setPresent,
    }
    const held = joinChannel(conversationTopic(userId, otherUserId), listener, { key: userId, shown })
    hold.current = held
    return () => {
      // Stays in `hold`: the channel lives a moment longer, for a last word such as 'no longer typing'.
      held.release()
      setPresent([])
    }
  }, [userId, otherUserId, shown, latest])

  const send = useCallback<ChannelHandle['send']>((event, payload) => hold.current?.send(event, payload), [])
  return { online: otherUserId !== undefined && present.includes(otherUserId), send }
}

function useLatest<T>(value: T) {
  const ref = useRef(value)
  useEffect(() => {
    ref.current = value
  })
  return ref
}
