import type { ChatMessage } from '@contract/message.ts'
import type { OutboxItem } from '../outbox/outbox'

/** A message as it is drawn: stored, or still on its way. */
export interface Bubble {
  id: string
  senderId: string
  content: string
  createdAt: string
  /** `sent` is stored; the rest are the outbox's own states. */
  state: 'sent' | OutboxItem['state']
  isRead: boolean
}

/** Bubbles of one sender within one minute: only the last has a tail and tells the time. */
export interface BubbleGroup {
  key: string
  senderId: string
  bubbles: Bubble[]
}

/** The thread with what is on its way behind it; an item that is stored already is not drawn twice. */
export function toBubbles(thread: ChatMessage[], items: OutboxItem[], me: string): Bubble[] {
  const stored = new Set(thread.map((message) => message.id))
  return [
    ...thread.map((message): Bubble => ({ ...message, state: 'sent' })),
    ...items
      .filter((item) => !stored.has(item.id))
      .map((item): Bubble => ({ ...item, senderId: me, isRead: false })),
  ]
}

/**
 * What the other person wrote below since `before`: after the last of theirs that was there already. Where there
 * was none, the thread was empty or has been replaced, and all of theirs is new.
 */
export function newFromOther(before: Bubble[], now: Bubble[], me: string): Bubble[] {
  const known = new Set(before.map((bubble) => bubble.id))
  const theirs = now.filter((bubble) => bubble.senderId !== me)
  return theirs.slice(theirs.findLastIndex((bubble) => known.has(bubble.id)) + 1)
}

/** Puts neighbours together. */
export function groupBubbles(bubbles: Bubble[]): BubbleGroup[] {
  const groups: BubbleGroup[] = []
  for (const bubble of bubbles) {
    const last = groups.at(-1)
    const before = last?.bubbles.at(-1)
    if (last && before && before.senderId === bubble.senderId && minute(before) === minute(bubble)) {
      last.bubbles.push(bubble)
    } else {
      groups.push({ key: bubble.id, senderId: bubble.senderId, bubbles: [bubble] })
    }
  }
  return groups
}

function minute(bubble: Bubble): number {
  return Math.floor(Date.parse(bubble.createdAt) / 60_000)
}

/** The last own message that the other person has seen: the one that carries the mark. */
export function lastSeenId(bubbles: Bubble[], me: string): string | undefined {
  return bubbles.findLast((bubble) => bubble.senderId === me && bubble.isRead)?.id
}
