import { userEvents } from '@contract/events.ts'
import type { Notification } from '@contract/notification.ts'
import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '@/lib/api'

type Pages = InfiniteData<Page<Notification>, string | null>

/** One notification read. Returns the same data if that is no news. */
export function markRead(data: Pages | undefined, id: string): Pages | undefined {
  const isNews = (one: Notification) => one.id === id && !one.isRead
  if (!data?.pages.some((page) => page.items.some(isNews))) return data
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      items: page.items.map((one) => (isNews(one) ? { ...one, isRead: true } : one)),
    })),
  }
}

/** What the page knows: the unread total, and the notifications it has heard of (the latest 100). */
export interface Heard {
  total: number | undefined
  ids: readonly string[]
}

/**
 * Takes in an event. `refetch` says that the list, where it is open, is to be read again. An event told twice
 * changes nothing; one that cannot be understood has everything read again.
 */
export function applyNotificationEvent(
  heard: Heard,
  event: string,
  payload: unknown,
): { heard: Heard; refetch: 'nothing' | 'list' | 'all' } {
  if (event === 'notification.created') {
    const parsed = userEvents['notification.created'].safeParse(payload)
    if (!parsed.success) return { heard, refetch: 'all' }
    const { notificationId, unreadTotal } = parsed.data
    if (heard.ids.includes(notificationId)) return { heard, refetch: 'nothing' }
    return {
      heard: { total: unreadTotal, ids: [notificationId, ...heard.ids].slice(0, 100) },
      refetch: 'list',
    }
  }
  if (event === 'notification.read') {
    const parsed = userEvents['notification.read'].safeParse(payload)
    if (!parsed.success) return { heard, refetch: 'all' }
    return { heard: { ...heard, total: parsed.data.unreadTotal }, refetch: 'list' }
  }
  return { heard, refetch: 'nothing' }
}
