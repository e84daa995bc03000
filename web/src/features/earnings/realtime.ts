import { userEvents } from '@contract/events.ts'
import type { NotificationKind } from '@contract/notification.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useUserChannel } from '@/realtime/channel-hooks'
import { throttle } from '@/realtime/throttle'
import { invalidateEarnings } from './api'

/** The notifications that a user receives when their balance changes. */
const balanceKinds: ReadonlySet<NotificationKind> = new Set(['unlock', 'subscription', 'tip', 'payout'])

/** The minimum time between two refetches, however many sales there are. */
const refetchIntervalMs = 1000

/** Returns whether an event reports a change of the viewer's balance. */
export function affectsEarnings(event: string, payload: unknown): boolean {
  if (event !== 'notification.created') return false
  const { data } = userEvents[event].safeParse(payload)
  return data !== undefined && balanceKinds.has(data.kind)
}

/** Refetches the earnings on screen after a sale or payout, and after the connection was lost. */
export function useEarningsRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  const refetch = useMemo(() => throttle(refetchIntervalMs, () => invalidateEarnings(client)), [client])
  useUserChannel(userId, {
    onEvent: (event, payload) => {
      if (affectsEarnings(event, payload)) refetch.call()
    },
    onJoined: refetch.call,
  })
}
