import type { LenientNotification } from '@contract/notification.ts'
import type { NotificationPages } from './model'

/**
 * Returns the ids of the notifications to list as new: those in `known`, and the unread ones on the first page. On the
 * next pages, an unread notification counts only if everything above it is new, because the list must not grow above
 * what the user is reading.
 */
export function findNew(pages: NotificationPages['pages'], known: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(known)
  let isOnlyNew = true
  pages.forEach(({ items }, pageIndex) => {
    for (const { id, isRead } of items) {
      if (!isRead && (pageIndex === 0 || isOnlyNew)) found.add(id)
      isOnlyNew &&= found.has(id)
    }
  })
  return found
}

const sections = ['new', 'today', 'yesterday', 'week', 'earlier'] as const
export type Section = (typeof sections)[number]

/**
 * Splits notifications, newest first, into new ones and, by age, the others: those of today, yesterday, the five days
 * before, and the earlier ones.
 */
export function groupBySection(
  items: readonly LenientNotification[],
  newIds: ReadonlySet<string>,
  now: number,
): { section: Section; items: LenientNotification[] }[] {
  const today = new Date(now).setHours(0, 0, 0, 0)
  // Calendar days, which are longer or shorter than 24 hours when the clock changes.
  const daysBefore = (days: number) => new Date(today).setDate(new Date(today).getDate() - days)
  const starts = [
    ['today', today],
    ['yesterday', daysBefore(1)],
    ['week', daysBefore(6)],
  ] as const
  const sectionOf = ({ id, createdAt }: LenientNotification): Section =>
    newIds.has(id) ? 'new' : (starts.find(([, start]) => Date.parse(createdAt) >= start)?.[0] ?? 'earlier')
  return sections
    .map((section) => ({ section, items: items.filter((item) => sectionOf(item) === section) }))
    .filter(({ items }) => items.length > 0)
}
