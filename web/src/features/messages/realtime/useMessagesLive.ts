import { useQueryClient } from '@tanstack/react-query'
import { useUserChannel } from '@/lib/realtime'
import { currentOutbox, useOutboxRunning } from '../outbox/useOutbox'
import { applyMessagesEvent, refetch } from './applyEvent'

/**
 * Keeps the message caches live and the outbox sending while mounted. The menu of the shell and the page both do
 * so; events applied twice change nothing.
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
