import { useQueryClient } from '@tanstack/react-query'
import { useUserChannel } from '@/realtime/channel-hooks'
import { invalidateEarnings } from './api'

/**
 * Refetches the earnings on screen after the connection was lost. The notifications of sales and payouts do it otherwise.
 */
export function useEarningsRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  useUserChannel(userId, {
    onEvent: () => undefined,
    onJoined: (isFirst) => {
      if (!isFirst) invalidateEarnings(client)
    },
  })
}
