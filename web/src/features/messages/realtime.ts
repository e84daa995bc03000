import { useQueryClient } from '@tanstack/react-query'
import { useUserChannel } from '@/realtime'
import { applyMessagesEvent, invalidateMessages } from './cache-updates'
import { currentOutbox, useRunOutbox } from './outbox/useOutbox'

/**
 * Keeps the message caches live and the outbox sending while mounted. The header's menu does so, which stands above
 * every signed-in screen; events applied twice change nothing.
 */
export function useMessagesRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  useRunOutbox(userId)

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      if (!userId) return
      const { arrivedId } = applyMessagesEvent(client, userId, event, payload)
      if (arrivedId) currentOutbox()?.settle(arrivedId)
    },
    onJoined: () => invalidateMessages(client),
  })
}
