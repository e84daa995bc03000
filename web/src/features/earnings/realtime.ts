import { useQueryClient } from '@tanstack/react-query'
import { useUserChannel } from '@/realtime/channel-hooks'
import { invalidateEarnings } from './api'

/**
 * Refetches the earnings on screen after a reconnect. While connected, notifications about sales and payouts trigger a
 * refetch.
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
