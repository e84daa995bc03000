import type { LenientNotification } from '@contract/notification.ts'
import type { NotificationPages } from './model'

/** Whether each notification that was listed so far is listed as new. */
export type ListedAsNew = ReadonlyMap<string, boolean>

/** A group that grows gets a new time, and is then listed as if it were another notification. */
const keyOf = ({ id, createdAt }: LenientNotification) => `${id} ${createdAt}`

/**
 * Adds the notifications that `listed` does not contain: unread ones on the first page are new. On the next pages, an
 * unread notification is new only if everything above it is. A notification then stays in its section, because the
 * list must not change above what the user is reading.
 */
export function findNew(pages: NotificationPages['pages'], listed: ListedAsNew): ListedAsNew {
  const found = new Map(listed)
  let isOnlyNew = true
  pages.forEach(({ items }, pageIndex) => {
    for (const item of items) {
      const isNew = found.get(keyOf(item)) ?? (!item.isRead && (pageIndex === 0 || isOnlyNew))
      found.set(keyOf(item), isNew)
      isOnlyNew &&= isNew
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
  listed: ListedAsNew,
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
  const sectionOf = (item: LenientNotification): Section =>
    listed.get(keyOf(item))
      ? 'new'
      : (starts.find(([, start]) => Date.parse(item.createdAt) >= start)?.[0] ?? 'earlier')
  return sections
    .map((section) => ({ section, items: items.filter((item) => sectionOf(item) === section) }))
    .filter(({ items }) => items.length > 0)
}
