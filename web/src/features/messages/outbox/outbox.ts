import { type ChatMessage, QuotedMessage, Voice } from '@contract/message.ts'
import { z } from 'zod'
import { ApiError, isTransient } from '@/lib/errors'
import { outboxRetryDelaysMs, retryDelay } from '@/lib/retry'
import { uuidv7 } from '@/lib/uuid'

/** An image to upload. Its size in pixels reserves its space in the thread. */
const OutboxImage = z.object({
  blob: z.instanceof(Blob),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
})
export type OutboxImage = z.infer<typeof OutboxImage>

/** The recording of a voice message, with its duration and loudness over time. */
const OutboxVoice = Voice.omit({ url: true }).extend({ blob: z.instanceof(Blob) })
export type OutboxVoice = z.infer<typeof OutboxVoice>

/** Older versions of the site stored quotes without `voiceSeconds`. */
const StoredQuote = QuotedMessage.extend({ voiceSeconds: QuotedMessage.shape.voiceSeconds.default(null) })

/**
 * A message that the server has not stored yet. `pending`: queued or being sent. `waiting`: failed for a temporary
 * reason, retried automatically. `refused`: rejected by the server, retried only when the user asks for it.
 */
export const OutboxItem = z.object({
  id: z.string(),
  receiverId: z.string(),
  content: z.string(),
  createdAt: z.string(),
  state: z.enum(['pending', 'waiting', 'refused']),
  /** The message that this one replies to. */
  replyTo: StoredQuote.nullable().default(null),
  image: OutboxImage.nullable().default(null),
  voice: OutboxVoice.nullable().default(null),
  /** The price of the image in US dollars. */
  price: z.number().optional(),
  /** The URL of the uploaded image or recording, so that a retry does not upload it again. */
  mediaUrl: z.string().nullable().default(null),
})
export type OutboxItem = z.infer<typeof OutboxItem>

/**
 * An item as it is stored. A tab with an older version of the site would ignore the price and send the image for free,
 * so an item with a price is wrapped: older versions skip records that they cannot parse.
 */
export const StoredItem = z.union([OutboxItem, z.object({ paid: OutboxItem }).transform(({ paid }) => paid)])
export const toStoredItem = (item: OutboxItem) => (item.price === undefined ? item : { paid: item })

/** What the user wrote or recorded: either text, an image or both, or a voice message. */
interface NewMessage {
  content: string
  replyTo: QuotedMessage | null
  image: OutboxImage | null
  voice: OutboxVoice | null
  price?: number | undefined
}

/** The storage functions must not reject. */
interface OutboxDependencies {
  /** Returns the stored items, which all tabs share. */
  load: () => Promise<OutboxItem[]>
  has: (id: string) => Promise<boolean>
  put: (item: OutboxItem) => Promise<void>
  /** Replaces a stored item; does nothing if any tab has removed it. */
  replace: (item: OutboxItem) => Promise<void>
  remove: (id: string) => Promise<void>
  /** Uploads the item's image or recording and returns its URL. */
  upload: (item: OutboxItem, signal: AbortSignal) => Promise<string>
  send: (item: OutboxItem, signal: AbortSignal) => Promise<ChatMessage>
  /** Runs `task` while no other tab sends to the same user. */
  withReceiverLock: (receiverId: string, task: () => Promise<void>) => Promise<void>
  onSent: (message: ChatMessage) => void
  onFailed: (item: OutboxItem, error: unknown) => void
  onChange: (items: OutboxItem[]) => void
}

export interface Outbox {
  add: (receiverId: string, message: NewMessage) => void
  retry: (id: string) => void
  /** Removes an item that the user discards. Aborts a running request, which the server may already have handled. */
  discard: (id: string) => void
  /** Removes an item that the server has stored: another tab sent it, or the response was lost. */
  removeStored: (id: string) => void
  /** Loads the stored items, including those of other tabs, and sends everything that is not refused. */
  resume: () => void
  stop: () => void
}

/**
 * Creates an outbox, which sends messages in the order they were written, one at a time per receiver, and retries until
 * the server has stored them. The server stores each message once, because a retry uses the same id.
 */
export function createOutbox(dependencies: OutboxDependencies): Outbox {
  let items: OutboxItem[] = []
  let lastCreatedAt = 0
  let stopped = false
  /** The chain of storage operations: the writes, and the load in `resume`. Each waits for the one before. */
  let writes = Promise.resolve()
  /** Receivers that messages are being sent to. */
  const activeReceivers = new Set<string>()
  const failureCounts = new Map<string, number>()
  /** By receiver: the time before which the server asked not to retry. Neither `resume` nor `retry` sends earlier. */
  const notBefore = new Map<string, number>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** Running requests by item id. */
  const inFlight = new Map<string, AbortController>()
  /** The ids of items with a queued write, in the order of `writes`: their stored state is outdated. */
  const unsavedIds: string[] = []

  const publish = (next: OutboxItem[]) => {
    items = sortByCreation(next)
    dependencies.onChange(items)
  }
  const find = (id: string) => items.find((item) => item.id === id)
  const enqueueWrite = (write: () => Promise<void>) => {
    writes = writes.then(write)
  }
  const enqueueItemWrite = (id: string, write: () => Promise<void>) => {
    unsavedIds.push(id)
    enqueueWrite(async () => {
      await write()
      unsavedIds.shift()
    })
  }
  const publishItem = (item: OutboxItem) => publish([...items.filter(({ id }) => id !== item.id), item])
  const update = (item: OutboxItem) => {
    enqueueItemWrite(item.id, () => dependencies.replace(item))
    publishItem(item)
  }
  const remove = (id: string) => {
    enqueueItemWrite(id, () => dependencies.remove(id))
    if (find(id)) publish(items.filter((item) => item.id !== id))
    inFlight.get(id)?.abort()
  }
  const scheduleSend = (receiverId: string, delayMs: number) => {
    clearTimeout(timers.get(receiverId))
    timers.set(
      receiverId,
      setTimeout(() => void sendAll(receiverId), delayMs),
    )
  }
  const nextItem = (receiverId: string) =>
    items.find((item) => item.receiverId === receiverId && item.state !== 'refused')

  /** Sends the receiver's items until none is left or one must be retried later. */
  async function sendAll(receiverId: string): Promise<void> {
    if (stopped || activeReceivers.has(receiverId)) return
    clearTimeout(timers.get(receiverId))
    const delayMs = (notBefore.get(receiverId) ?? 0) - Date.now()
    if (delayMs > 0) {
      scheduleSend(receiverId, delayMs)
      return
    }
    activeReceivers.add(receiverId)
    try {
      await dependencies.withReceiverLock(receiverId, async () => {
        while (!stopped) {
          // Waits until the stored items are loaded, because older ones are sent first.
          await writes
          const item = nextItem(receiverId)
          if (!item) break
          // The item was added during the wait. It is not in storage yet, so `has` would wrongly return false.
          if (unsavedIds.includes(item.id)) continue
          // Another tab may have sent or discarded the item while this one waited for the lock.
          if (!(await dependencies.has(item.id))) remove(item.id)
          else if (!(await sendItem(item))) break
        }
        // The next tab that gets the lock must find the result in storage.
        await writes
      })
    } finally {
      activeReceivers.delete(receiverId)
    }
    // An item may have been added after the loop ended and before the receiver became inactive.
    if (nextItem(receiverId) && !failureCounts.has(receiverId) && !stopped) void sendAll(receiverId)
  }

  /** Sends one item. Returns true if the next one can be sent. */
  async function sendItem(item: OutboxItem): Promise<boolean> {
    const controller = new AbortController()
    inFlight.set(item.id, controller)
    try {
      const message = await uploadAndSend(item, controller.signal)
      if (stopped) return false
      failureCounts.delete(item.receiverId)
      dependencies.onSent(message)
      inFlight.delete(item.id)
      remove(item.id)
      return true
    } catch (error) {
      const current = find(item.id)
      if (stopped || !current) return !stopped
      return handleFailure(current, error)
    } finally {
      inFlight.delete(item.id)
    }
  }

  /** Sends the item. Uploads its image or recording first, unless that has already been uploaded. */
  async function uploadAndSend(item: OutboxItem, signal: AbortSignal): Promise<ChatMessage> {
    if (!item.image && !item.voice) return dependencies.send(item, signal)
    if (item.mediaUrl) {
      try {
        return await dependencies.send(item, signal)
      } catch (error) {
        // The server deletes unused uploads after a while. In that case, the file is uploaded again.
        if (!(error instanceof ApiError) || error.code !== 'media_not_usable') throw error
      }
    }
    const uploadedItem = { ...item, mediaUrl: await dependencies.upload(item, signal) }
    signal.throwIfAborted()
    update(uploadedItem)
    return dependencies.send(uploadedItem, signal)
  }

  /** Marks the item `waiting` or `refused`. Returns true if the next one can be sent. */
  function handleFailure(item: OutboxItem, error: unknown): boolean {
    // If the session has expired, the message is sent after the next sign-in.
    const isTemporary = isTransient(error) || (error instanceof ApiError && error.status === 401)
    const isFirstFailure = item.state === 'pending'
    update({ ...item, state: isTemporary ? 'waiting' : 'refused' })
    if (isFirstFailure) dependencies.onFailed(item, error)
    if (!isTemporary) return true
    const count = failureCounts.get(item.receiverId) ?? 0
    failureCounts.set(item.receiverId, count + 1)
    const retryAfterMs = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0
    notBefore.set(item.receiverId, Date.now() + retryAfterMs)
    scheduleSend(item.receiverId, Math.max(retryAfterMs, retryDelay(outboxRetryDelaysMs, count)))
    return false
  }

  return {
    add(receiverId, message) {
      // Each item gets a different millisecond, so that the ids sort in the order in which the items were written.
      lastCreatedAt = Math.max(Date.now(), lastCreatedAt + 1)
      const item: OutboxItem = {
        ...message,
        id: uuidv7(lastCreatedAt),
        receiverId,
        createdAt: new Date(lastCreatedAt).toISOString(),
        state: 'pending',
        mediaUrl: null,
      }
      enqueueItemWrite(item.id, () => dependencies.put(item))
      publishItem(item)
      void sendAll(receiverId)
    },
    retry(id) {
      const item = find(id)
      if (!item) return
      update({ ...item, state: 'pending' })
      void sendAll(item.receiverId)
    },
    discard: remove,
    removeStored: (id) => {
      if (find(id)) remove(id)
    },
    resume() {
      failureCounts.clear()
      enqueueWrite(async () => {
        const storedItems = await dependencies.load()
        if (stopped) return
        publish([
          ...storedItems.filter((item) => !unsavedIds.includes(item.id)),
          ...items.filter((item) => unsavedIds.includes(item.id)),
        ])
        // Another tab may have discarded an item that this one is sending.
        for (const [id, controller] of inFlight) if (!find(id)) controller.abort()
        for (const receiverId of new Set(items.map((item) => item.receiverId))) void sendAll(receiverId)
      })
    },
    stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      for (const controller of inFlight.values()) controller.abort()
    },
  }
}

/** Sorts by id, because an id starts with the time of its creation. */
function sortByCreation(items: OutboxItem[]): OutboxItem[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}
