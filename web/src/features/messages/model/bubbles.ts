import type { ChatMessage, QuotedMessage, Reaction } from '@contract/message.ts'
import type { OutboxItem } from '../outbox/outbox-item'
import { applyOptimisticEdit } from './apply-optimistic-edit'
import type { OptimisticEdits } from './optimistic-edits'
import { toQuote } from './thread'

/** The picture of a message: at its address, or still in the browser. With neither it is gone. */
export interface BubbleImage {
  url: string | null
  blob: Blob | null
  /** Pixels. */
  width: number
  height: number
  placeholder: string | null
}

/** A message as it is drawn: stored, or still on its way. */
export interface Bubble {
  id: string
  /** Its number in the conversation; null while it is on its way. */
  seq: number | null
  senderId: string
  content: string
  createdAt: string
  /** `sent` is stored; the rest are the outbox's own states. */
  state: 'sent' | OutboxItem['state']
  /** It goes after one that did not reach the server yet. */
  queued: boolean
  isRead: boolean
  edited: boolean
  deleted: boolean
  image: BubbleImage | null
  replyTo: QuotedMessage | null
  reactions: Reaction[]
  /** As it is stored, and as its reader wants it; null while it is on its way. */
  message: ChatMessage | null
}

/** Bubbles of one sender within one minute: only the last has a tail and tells the time. */
export interface BubbleGroup {
  key: string
  senderId: string
  bubbles: Bubble[]
}

const drawn = new WeakMap<ChatMessage, Bubble>()

/** The very same bubble for the very same message, so that only what changed is drawn again. */
function bubbleOf(message: ChatMessage): Bubble {
  const known = drawn.get(message)
  if (known) return known
  const { imageUrl, imageWidth, imageHeight, placeholder } = message
  const bubble: Bubble = {
    id: message.id,
    seq: message.seq,
    senderId: message.senderId,
    content: message.content,
    createdAt: message.createdAt,
    state: 'sent',
    queued: false,
    isRead: message.isRead,
    edited: message.editedAt !== null,
    deleted: message.deleted,
    image:
      imageWidth !== null && imageHeight !== null
        ? { url: imageUrl, blob: null, width: imageWidth, height: imageHeight, placeholder }
        : null,
    replyTo: message.replyTo,
    reactions: message.reactions,
    message,
  }
  drawn.set(message, bubble)
  return bubble
}

/** `answered` is what it answers, where that is held: as it is by now. */
function bubbleOnItsWay(
  item: OutboxItem,
  me: string,
  queued: boolean,
  answered: ChatMessage | undefined,
): Bubble {
  return {
    id: item.id,
    seq: null,
    senderId: me,
    content: item.content,
    createdAt: item.createdAt,
    state: item.state,
    queued,
    isRead: false,
    edited: false,
    deleted: false,
    image: item.image && { ...item.image, url: null, placeholder: null },
    replyTo: answered ? toQuote(answered) : item.replyTo,
    reactions: [],
    message: null,
  }
}

/**
 * The thread, with what its reader wants of it, and what is on its way behind it; an item that is stored already is not
 * drawn twice.
 */
export function toBubbles(
  thread: ChatMessage[],
  items: OutboxItem[],
  me: string,
  wishes: OptimisticEdits = {},
): Bubble[] {
  const shown = thread.map((message) => applyOptimisticEdit(message, wishes[message.id], me))
  const find = (id: string | undefined) => shown.find((message) => message.id === id)
  const onTheirWay = items.filter((item) => !find(item.id))
  const held = onTheirWay.findIndex((item) => item.state === 'waiting')
  return [
    ...shown.map(bubbleOf),
    ...onTheirWay.map((item, at) => {
      const queued = item.state === 'pending' && held >= 0 && at > held
      return bubbleOnItsWay(item, me, queued, item.replyTo ? find(item.replyTo.id) : undefined)
    }),
  ]
}

/**
 * What the other person wrote since `before`: after the last of theirs that was there already, or where there was none,
 * after the first message that was there. What is loaded above is old.
 */
export function newFromPartner(before: Bubble[], now: Bubble[], me: string): Bubble[] {
  const known = before.findLast((bubble) => bubble.senderId !== me)?.seq ?? before[0]?.seq ?? 0
  return now.filter((bubble) => bubble.senderId !== me && (bubble.seq ?? 0) > known)
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

/** Whether a line with the time stands under a bubble: under a group's last one, and under the last that was seen. */
export function showsTimestamp(
  bubble: Bubble,
  { bubbles }: BubbleGroup,
  seenId: string | undefined,
): boolean {
  if (bubble.id === seenId) return true
  if (bubble !== bubbles.at(-1)) return false
  return bubble.state === 'sent' || (bubble.state === 'pending' && !bubble.queued)
}

/** How a thread stood when it was opened: its newest message and how many of the other's were unread. */
export interface ThreadAtOpen {
  seq: number
  unread: number
}

/** The first message that was unread when the thread was opened; undefined while it is not loaded. */
export function firstUnreadId(
  bubbles: Bubble[],
  opened: ThreadAtOpen | null,
  me: string,
): string | undefined {
  let left = opened?.unread ?? 0
  if (!opened || left === 0) return undefined
  for (const bubble of bubbles.toReversed()) {
    if (bubble.seq === null || bubble.seq > opened.seq || bubble.senderId === me) continue
    left -= 1
    if (left === 0) return bubble.id
  }
  return undefined
}
