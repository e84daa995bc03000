import type { ChatMessage, PaidPhoto, QuotedMessage, Reaction, Voice } from '@contract/message.ts'
import type { OutboxItem } from '../outbox/outbox'
import { applyOptimisticEdit, type OptimisticEdits } from './optimistic-edits'
import { toQuote } from './thread'

/**
 * The image of a message: uploaded (`url`) or still local (`blob`). If both are null, it is locked or no longer exists.
 */
export interface BubbleImage {
  url: string | null
  blob: Blob | null
  /** Pixels. */
  width: number
  height: number
  placeholder: string | null
}

/** The recording of a voice message. As in `BubbleImage`, it no longer exists if both `url` and `blob` are null. */
export interface BubbleVoice extends Voice {
  blob: Blob | null
}

/** A message as it is displayed: stored on the server or still in the outbox. */
export interface Bubble {
  id: string
  /** The message's number in the conversation; null for an outbox item. */
  seq: number | null
  senderId: string
  content: string
  createdAt: string
  /** `sent` for a stored message, otherwise the state of the outbox item. */
  state: 'sent' | OutboxItem['state']
  /** True if an earlier message has failed for a temporary reason and must be sent first. */
  queued: boolean
  isRead: boolean
  edited: boolean
  deleted: boolean
  image: BubbleImage | null
  paidPhoto: PaidPhoto | null
  voice: BubbleVoice | null
  replyTo: QuotedMessage | null
  reactions: Reaction[]
  /** The stored message with the user's optimistic changes; null for an outbox item. */
  message: ChatMessage | null
}

/** Consecutive bubbles of one sender within one minute. */
export interface BubbleGroup {
  key: string
  senderId: string
  bubbles: Bubble[]
  /** True if no message follows within `pauseMs`: the last bubble then has a timestamp. */
  beforePause: boolean
  /** True if the previous group is by the same sender, with no pause in between. */
  joinsPrevious: boolean
  /** True if the next group is by the same sender, with no pause in between. Otherwise, the last bubble has a tail. */
  joinsNext: boolean
}

/**
 * Returns the bubbles of the thread with the user's optimistic changes, followed by those of the outbox items that are
 * not in the thread yet.
 */
export function toBubbles(
  thread: ChatMessage[],
  outboxItems: OutboxItem[],
  me: string,
  edits: OptimisticEdits = {},
): Bubble[] {
  const messages = thread.map((message) => applyOptimisticEdit(message, edits[message.id], me))
  const findMessage = (id: string | undefined) => messages.find((message) => message.id === id)
  const unsentItems = outboxItems.filter((item) => !findMessage(item.id))
  const firstWaiting = unsentItems.findIndex((item) => item.state === 'waiting')
  return [
    ...messages.map(toMessageBubble),
    ...unsentItems.map((item, index) => {
      const queued = item.state === 'pending' && firstWaiting >= 0 && index > firstWaiting
      return toOutboxBubble(item, me, queued, item.replyTo ? findMessage(item.replyTo.id) : undefined)
    }),
  ]
}

const bubbleCache = new WeakMap<ChatMessage, Bubble>()

/** Returns the same bubble for the same message, so that unchanged bubbles do not render again. */
function toMessageBubble(message: ChatMessage): Bubble {
  const cached = bubbleCache.get(message)
  if (cached) return cached
  const { imageUrl, imageWidth, imageHeight, placeholder, voice } = message
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
    paidPhoto: message.paidPhoto,
    voice: voice && { ...voice, blob: null },
    replyTo: message.replyTo,
    reactions: message.reactions,
    message,
  }
  bubbleCache.set(message, bubble)
  return bubble
}

/** @param quoted the current version of the message that the item replies to, if it is loaded */
function toOutboxBubble(
  item: OutboxItem,
  me: string,
  queued: boolean,
  quoted: ChatMessage | undefined,
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
    paidPhoto: item.price === undefined ? null : { price: item.price, unlocked: false },
    voice: item.voice && { ...item.voice, url: null },
    replyTo: quoted ? toQuote(quoted) : item.replyTo,
    reactions: [],
    message: null,
  }
}

/**
 * Returns the other user's new bubbles: those that come after the other user's last bubble in `previous` or, if there
 * was none, after the first bubble in `previous`. Older messages do not count as new when they are loaded.
 */
export function newFromPartner(previous: Bubble[], current: Bubble[], me: string): Bubble[] {
  const lastSeq = previous.findLast((bubble) => bubble.senderId !== me)?.seq ?? previous[0]?.seq ?? 0
  return current.filter((bubble) => bubble.senderId !== me && (bubble.seq ?? 0) > lastSeq)
}

/** A message shows its timestamp if the pause before the next message, by either user, is at least this long. */
const pauseMs = 10 * 60_000

/** Groups consecutive bubbles of one sender and minute. */
export function groupBubbles(bubbles: Bubble[]): BubbleGroup[] {
  const groups: BubbleGroup[] = []
  for (const bubble of bubbles) {
    const group = groups.at(-1)
    const previous = group?.bubbles.at(-1)
    if (
      group &&
      previous &&
      previous.senderId === bubble.senderId &&
      minuteOf(previous) === minuteOf(bubble)
    ) {
      group.bubbles.push(bubble)
    } else {
      if (group && previous) {
        group.beforePause = pauseBetween(previous, bubble) >= pauseMs
        group.joinsNext = !group.beforePause && group.senderId === bubble.senderId
      }
      groups.push({
        key: bubble.id,
        senderId: bubble.senderId,
        bubbles: [bubble],
        beforePause: true,
        joinsPrevious: group?.joinsNext ?? false,
        joinsNext: false,
      })
    }
  }
  return groups
}

function minuteOf(bubble: Bubble): number {
  return Math.floor(Date.parse(bubble.createdAt) / 60_000)
}

const pauseBetween = (earlier: Bubble, later: Bubble) =>
  Date.parse(later.createdAt) - Date.parse(earlier.createdAt)

/** Returns the id of the user's last message that the other user has read: the one marked "Seen". */
export function lastSeenId(bubbles: Bubble[], me: string): string | undefined {
  return bubbles.findLast((bubble) => bubble.senderId === me && bubble.isRead)?.id
}

/** Returns true for the last seen bubble, and for the last one before a pause unless it has failed or is queued. */
export function showsTimestamp(
  bubble: Bubble,
  { bubbles, beforePause }: BubbleGroup,
  seenId: string | undefined,
): boolean {
  if (bubble.id === seenId) return true
  if (bubble !== bubbles.at(-1) || !beforePause) return false
  return bubble.state === 'sent' || (bubble.state === 'pending' && !bubble.queued)
}

/** The newest message of a thread when it was opened, and the number of unread messages from the other user. */
export interface ThreadAtOpen {
  seq: number
  unread: number
}

/** Returns the id of the first message that was unread when the thread was opened; undefined if it is not loaded. */
export function firstUnreadId(
  bubbles: Bubble[],
  threadAtOpen: ThreadAtOpen | null,
  me: string,
): string | undefined {
  let remaining = threadAtOpen?.unread ?? 0
  if (!threadAtOpen || remaining === 0) return undefined
  for (const bubble of bubbles.toReversed()) {
    if (bubble.seq === null || bubble.seq > threadAtOpen.seq || bubble.senderId === me) continue
    remaining -= 1
    if (remaining === 0) return bubble.id
  }
  return undefined
}
