import { userEvents } from '@contract/events.ts'
import type { NotificationKind } from '@contract/notification.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { atMostEvery } from '@/lib/atMostEvery'
import { useUserChannel } from '@/lib/realtime'
import { readEarningsAgain } from '../api/keys'

/** What people are told of when their money changes. */
const aboutMoney: ReadonlySet<NotificationKind> = new Set(['unlock', 'subscription', 'tip', 'payout'])

/** Milliseconds between two readings, however much is sold. */
const pause = 1000

/** Whether an event says that the viewer's money has changed. */
export function changesMoney(event: string, payload: unknown): boolean {
  if (event !== 'notification.created') return false
  const { data } = userEvents[event].safeParse(payload)
  return data !== undefined && aboutMoney.has(data.kind)
}

/** Has the figures on screen read again when something is sold or paid out, and after a lost connection. */
export function useEarningsLive(userId: string | undefined): void {
  const client = useQueryClient()
  const reader = useMemo(() => atMostEvery(pause, () => readEarningsAgain(client)), [client])
  useUserChannel(userId, {
    onEvent: (event, payload) => {
      if (changesMoney(event, payload)) reader.call()
    },
    onJoined: reader.call,
  })
}
