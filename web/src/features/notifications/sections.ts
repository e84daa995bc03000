import type { LenientNotification } from '@contract/notification.ts'

const sections = ['today', 'week', 'earlier'] as const
export type Section = (typeof sections)[number]

/** Splits notifications, newest first, into those of today, of the six days before, and of earlier days. */
export function groupBySection(
  items: readonly LenientNotification[],
  now: number,
): { section: Section; items: LenientNotification[] }[] {
  const today = new Date(now).setHours(0, 0, 0, 0)
  // Six calendar days, which are longer or shorter than 24 hours when the clock changes.
  const week = new Date(today).setDate(new Date(today).getDate() - 6)
  const sectionOf = ({ createdAt }: LenientNotification): Section => {
    const time = Date.parse(createdAt)
    return time >= today ? 'today' : time >= week ? 'week' : 'earlier'
  }
  return sections
    .map((section) => ({ section, items: items.filter((item) => sectionOf(item) === section) }))
    .filter(({ items }) => items.length > 0)
}
