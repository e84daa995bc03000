import { type UserEvent, userEvents } from '@contract/events.ts'
import type { Notification } from '@contract/notification.ts'
import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '@/lib/api'

export type NotificationPages = InfiniteData<Page<Notification>, string | null>

/** Notifications read, or unread again, on whatever page they are. Returns the same data if that is no news. */
export function setRead(
  data: NotificationPages | undefined,
  ids: readonly string[] | 'all',
  isRead = true,
): NotificationPages | undefined {
  const isNews = (one: Notification) => one.isRead !== isRead && (ids === 'all' || ids.includes(one.id))
  if (!data?.pages.some((page) => page.items.some(isNews))) return data
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      items: page.items.map((one) => (isNews(one) ? { ...one, isRead } : one)),
    })),
  }
}

/** Which of them, or of all, are shown as unread. */
export function unreadIds(data: NotificationPages | undefined, ids: readonly string[] | 'all'): string[] {
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return items.filter((one) => !one.isRead && (ids === 'all' || ids.includes(one.id))).map(({ id }) => id)
}

/** The first page alone: what a list that was scrolled through is read again from. */
export function firstPage(data: NotificationPages | undefined): NotificationPages | undefined {
  if (!data || data.pages.length <= 1) return data
  return { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
}

/** What the page knows: the unread total, and the notifications it heard come and go (the latest 100 of each). */
export interface ReceivedNotifications {
  total: number | undefined
  created: readonly string[]
  read: readonly string[]
}

export const nothingReceived: ReceivedNotifications = { total: undefined, created: [], read: [] }

/** What an event does to the page. */
export interface NotificationEffect {
  heard: ReceivedNotifications
  /** What the person has not heard of yet. */
  news?: UserEvent<'notification.created'>
  /** Shown as read from now on. */
  read?: readonly string[] | 'all'
  /** To be read again: the list, where it is open, or the count too. */
  refetch: 'nothing' | 'list' | 'all'
}

const remember = (id: string, ids: readonly string[]) => [id, ...ids].slice(0, 100)

/**
 * Takes in an event. One that is told twice changes nothing; one that comes after what it led to, or that cannot be
 * understood, has everything read again.
 */
export function applyNotificationEvent(
  heard: ReceivedNotifications,
  event: string,
  payload: unknown,
): NotificationEffect {
  if (event === 'notification.created') {
    const parsed = userEvents['notification.created'].safeParse(payload)
    if (!parsed.success) return { heard, refetch: 'all' }
    const { notificationId: id, unreadTotal } = parsed.data
    if (heard.created.includes(id)) return { heard, refetch: 'nothing' }
    const created = remember(id, heard.created)
    // Its total is older than the one that came with its reading.
    if (heard.read.includes(id)) return { heard: { ...heard, created }, refetch: 'all' }
    return { heard: { ...heard, total: unreadTotal, created }, refetch: 'list', news: parsed.data }
  }
  if (event === 'notification.read') {
    const parsed = userEvents['notification.read'].safeParse(payload)
    if (!parsed.success) return { heard, refetch: 'all' }
    const { notificationId: id, unreadTotal } = parsed.data
    if (id && heard.read.includes(id)) return { heard, refetch: 'nothing' }
    const after = { ...heard, total: unreadTotal, read: id ? remember(id, heard.read) : heard.read }
    if (unreadTotal === 0) return { heard: after, read: 'all', refetch: 'list' }
    return { heard: after, read: id ? [id] : [], refetch: 'list' }
  }
  return { heard, refetch: 'nothing' }
}
