import { type UserEvent, userEvents } from '@contract/events.ts'
import type { LenientNotification } from '@contract/notification.ts'
import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '@/lib/api'
import { updateItems } from '@/lib/query-cache'

export type NotificationPages = InfiniteData<Page<LenientNotification>, string | null>

/** Returns the pages with the given notifications marked as read or unread, or `data` itself if nothing changes. */
export function setRead(
  data: NotificationPages | undefined,
  ids: readonly string[] | 'all',
  isRead = true,
): NotificationPages | undefined {
  const needsChange = (item: LenientNotification) =>
    item.isRead !== isRead && (ids === 'all' || ids.includes(item.id))
  if (!data?.pages.some((page) => page.items.some(needsChange))) return data
  return updateItems(data, (items) => items.map((item) => (needsChange(item) ? { ...item, isRead } : item)))
}

/** Returns which of the given notifications are unread. */
export function unreadIds(data: NotificationPages | undefined, ids: readonly string[] | 'all'): string[] {
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return items.filter((item) => !item.isRead && (ids === 'all' || ids.includes(item.id))).map(({ id }) => id)
}

/** Returns only the first page, so that a refetch does not request all pages that were loaded by scrolling. */
export function firstPage(data: NotificationPages | undefined): NotificationPages | undefined {
  if (!data || data.pages.length <= 1) return data
  return { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
}

/** The events received so far: the latest unread total, and the ids in the latest 100 events of each type. */
export interface ReceivedNotifications {
  unreadTotal: number | undefined
  created: readonly string[]
  read: readonly string[]
}

export const nothingReceived: ReceivedNotifications = { unreadTotal: undefined, created: [], read: [] }

interface NotificationEffect {
  received: ReceivedNotifications
  /** The event of a new notification to announce. */
  created?: UserEvent<'notification.created'>
  /** The notifications to mark as read in the list. */
  read?: readonly string[] | 'all'
  /** What to refetch. 'list' refetches the list if it is open; 'all' also refetches the count. */
  refetch: 'nothing' | 'list' | 'all'
}

const addId = (id: string, ids: readonly string[]) => [id, ...ids].slice(0, 100)

/**
 * Returns the effect of a realtime event. A repeated event has no effect. An event that arrives out of order or cannot
 * be parsed causes a refetch of everything.
 */
export function applyNotificationEvent(
  received: ReceivedNotifications,
  event: string,
  payload: unknown,
): NotificationEffect {
  if (event === 'notification.created') {
    const parsed = userEvents['notification.created'].safeParse(payload)
    if (!parsed.success) return { received, refetch: 'all' }
    const { notificationId: id, unreadTotal } = parsed.data
    if (received.created.includes(id)) return { received, refetch: 'nothing' }
    const created = addId(id, received.created)
    // The `read` event arrived first, so its total is newer than this one.
    if (received.read.includes(id)) return { received: { ...received, created }, refetch: 'all' }
    return { received: { ...received, unreadTotal, created }, refetch: 'list', created: parsed.data }
  }
  if (event === 'notification.read') {
    const parsed = userEvents['notification.read'].safeParse(payload)
    if (!parsed.success) return { received, refetch: 'all' }
    const { notificationId: id, unreadTotal } = parsed.data
    if (id && received.read.includes(id)) return { received, refetch: 'nothing' }
    const next = { ...received, unreadTotal, read: id ? addId(id, received.read) : received.read }
    if (unreadTotal === 0) return { received: next, read: 'all', refetch: 'list' }
    return { received: next, read: id ? [id] : [], refetch: 'list' }
  }
  return { received, refetch: 'nothing' }
}
