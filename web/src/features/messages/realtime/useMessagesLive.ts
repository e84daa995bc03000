import { useQueryClient } from '@tanstack/react-query'
import { useUserChannel } from '@/lib/realtime'
import { currentOutbox, useOutboxRunning } from '../outbox/useOutbox'
import { applyMessagesEvent, refetch } from './applyEvent'

/**
 * Keeps the message caches live and the outbox sending while mounted. The header's menu does so, which stands above
 * every signed-in screen; events applied twice change nothing.
 */
export function useMessagesLive(userId: string | undefined): void {
  const client = useQueryClient()
  useOutboxRunning(userId)

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      if (!userId) return
      const { arrivedId } = applyMessagesEvent(client, userId, event, payload)
      if (arrivedId) currentOutbox()?.settle(arrivedId)
    },
    onJoined: () => refetch(client),
  })
}
