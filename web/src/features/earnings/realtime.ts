import { userEvents } from '@contract/events.ts'
import type { NotificationKind } from '@contract/notification.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useUserChannel } from '@/realtime'
import { throttle } from '@/realtime/throttle'
import { invalidateEarnings } from './keys'

/** What people are told of when their money changes. */
const aboutMoney: ReadonlySet<NotificationKind> = new Set(['unlock', 'subscription', 'tip', 'payout'])

/** Milliseconds between two readings, however much is sold. */
const pause = 1000

/** Whether an event says that the viewer's money has changed. */
export function affectsEarnings(event: string, payload: unknown): boolean {
  if (event !== 'notification.created') return false
  const { data } = userEvents[event].safeParse(payload)
  return data !== undefined && aboutMoney.has(data.kind)
}

/** Has the figures on screen read again when something is sold or paid out, and after a lost connection. */
export function useEarningsRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  const reader = useMemo(() => throttle(pause, () => invalidateEarnings(client)), [client])
  useUserChannel(userId, {
    onEvent: (event, payload) => {
      if (affectsEarnings(event, payload)) reader.call()
    },
    onJoined: reader.call,
  })
}
