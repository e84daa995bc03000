import type { ChatMessage } from '@contract/message.ts'
import { ApiError, isTransient } from '@/lib/api'
import { uuidv7 } from '@/lib/uuid'
import { type NewMessage, type OutboxItem, sortOutboxItems } from './outbox-item'

export type { OutboxItem } from './outbox-item'

/** What the outbox needs of the world around it. None of the functions that keep items rejects. */
export interface OutboxPorts {
  /** Items that outlive the page, seen by all tabs. */
  load: () => Promise<OutboxItem[]>
  has: (id: string) => Promise<boolean>
  keep: (item: OutboxItem) => Promise<void>
  /** Keeps an item in the place of an older state of it, unless it was dropped meanwhile, by whatever tab. */
  change: (item: OutboxItem) => Promise<void>
  drop: (id: string) => Promise<void>
  /** Uploads the item's picture and answers its address. */
  upload: (item: OutboxItem, signal: AbortSignal) => Promise<string>
  send: (item: OutboxItem, signal: AbortSignal) => Promise<ChatMessage>
  /** Runs `task` while no other tab sends to the same person. */
  exclusively: (receiverId: string, task: () => Promise<void>) => Promise<void>
  onSent: (message: ChatMessage) => void
  onFailed: (item: OutboxItem, error: unknown) => void
  onChange: (items: OutboxItem[]) => void
}

export interface Outbox {
  add: (receiverId: string, written: NewMessage) => void
  retry: (id: string) => void
  /** Never to be sent; what is being sent of it is stopped, which may be too late. */
  discard: (id: string) => void
  /** The message is known to be stored: another tab sent it, or its answer was lost. */
  settle: (id: string) => void
  /** Reads again what other tabs keep, and sends what waits. */
  resume: () => void
  stop: () => void
}

const backoff = [1000, 2000, 5000, 10_000, 30_000]

/**
 * Sends messages in the order they were written, one at a time to each person, until the server has them. Each
 * keeps the id it was given here, by which the server stores it once however often it is sent.
 */
export function createOutbox(ports: OutboxPorts): Outbox {
  let items: OutboxItem[] = []
  let lastTime = 0
  let stopped = false
  /** What is being kept or dropped; each change waits for the one before. */
  let writing = Promise.resolve()
  const busy = new Set<string>()
  const failures = new Map<string, number>()
  /** Until when the server asked to be left alone: waking up or pressing 'Retry' is no reason to ask sooner. */
  const notBefore = new Map<string, number>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const travelling = new Map<string, AbortController>()
  /** The ids whose changes are not kept yet, in the order of `writing`: what is read of these is old. */
  const unwritten: string[] = []

  const publish = (next: OutboxItem[]) => {
    items = sortOutboxItems(next)
    ports.onChange(items)
  }
  const find = (id: string) => items.find((item) => item.id === id)
  const write = (change: () => Promise<void>) => {
    writing = writing.then(change)
  }
  const writeItem = (id: string, change: () => Promise<void>) => {
    unwritten.push(id)
    write(async () => {
      await change()
      unwritten.shift()
    })
  }
  const show = (item: OutboxItem) => publish([...items.filter((one) => one.id !== item.id), item])
  const update = (item: OutboxItem) => {
    writeItem(item.id, () => ports.change(item))
    show(item)
  }
  const remove = (id: string) => {
    writeItem(id, () => ports.drop(id))
    if (find(id)) publish(items.filter((item) => item.id !== id))
    travelling.get(id)?.abort()
  }
  const pumpLater = (receiverId: string, wait: number) => {
    clearTimeout(timers.get(receiverId))
    timers.set(
      receiverId,
      setTimeout(() => void pump(receiverId), wait),
    )
  }
  const next = (receiverId: string) =>
    items.find((item) => item.receiverId === receiverId && item.state !== 'refused')

  async function pump(receiverId: string): Promise<void> {
    if (stopped || busy.has(receiverId)) return
    clearTimeout(timers.get(receiverId))
    const asked = (notBefore.get(receiverId) ?? 0) - Date.now()
    if (asked > 0) {
      pumpLater(receiverId, asked)
      return
    }
    busy.add(receiverId)
    try {
      await ports.exclusively(receiverId, async () => {
        while (!stopped) {
          // What an earlier page left goes first.
          await writing
          const item = next(receiverId)
          if (!item) break
          // Written while this waited: not kept yet, and so not yet to be missed there.
          if (unwritten.includes(item.id)) continue
          // Another tab may have sent or discarded it while this one waited for its turn.
          if (!(await ports.has(item.id))) remove(item.id)
          else if (!(await attempt(item))) break
        }
        // The next tab is to find what this one did.
        await writing
      })
    } finally {
      busy.delete(receiverId)
    }
    // One that was added after the last look, before the turn was over.
    const overlooked = next(receiverId)
    if (overlooked && !failures.has(receiverId) && !stopped) void pump(receiverId)
  }

  /** Answers whether the next one may go. */
  async function attempt(item: OutboxItem): Promise<boolean> {
    const travel = new AbortController()
    travelling.set(item.id, travel)
    try {
      const message = await deliver(item, travel.signal)
      if (stopped) return false
      failures.delete(item.receiverId)
      ports.onSent(message)
      travelling.delete(item.id)
      remove(item.id)
      return true
    } catch (error) {
      const now = find(item.id)
      if (stopped || !now) return !stopped
      return failed(now, error)
    } finally {
      travelling.delete(item.id)
    }
  }

  /** Uploads the picture, where there is one that is not there yet, and sends. */
  async function deliver(item: OutboxItem, signal: AbortSignal): Promise<ChatMessage> {
    if (!item.image) return ports.send(item, signal)
    if (item.imageUrl) {
      try {
        return await ports.send(item, signal)
      } catch (error) {
        // What nothing refers to is swept away after a while: then it is uploaded once more.
        if (!(error instanceof ApiError) || error.code !== 'media_not_usable') throw error
      }
    }
    const uploaded = { ...item, imageUrl: await ports.upload(item, signal) }
    signal.throwIfAborted()
    update(uploaded)
    return ports.send(uploaded, signal)
  }

  function failed(item: OutboxItem, error: unknown): boolean {
    // A session that ended is no verdict on the message: it goes with the next one.
    const passing = isTransient(error) || (error instanceof ApiError && error.status === 401)
    const isFirst = item.state === 'pending'
    update({ ...item, state: passing ? 'waiting' : 'refused' })
    if (isFirst) ports.onFailed(item, error)
    if (!passing) return true
    const count = failures.get(item.receiverId) ?? 0
    failures.set(item.receiverId, count + 1)
    const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0
    notBefore.set(item.receiverId, Date.now() + asked)
    pumpLater(item.receiverId, Math.max(asked, backoff[Math.min(count, backoff.length - 1)] ?? 0))
    return false
  }

  return {
    add(receiverId, written) {
      // Never the same millisecond twice, so that ids sort as the messages were written.
      lastTime = Math.max(Date.now(), lastTime + 1)
      const item: OutboxItem = {
        ...written,
        id: uuidv7(lastTime),
        receiverId,
        createdAt: new Date(lastTime).toISOString(),
        state: 'pending',
        imageUrl: null,
      }
      writeItem(item.id, () => ports.keep(item))
      show(item)
      void pump(receiverId)
    },
    retry(id) {
      const item = find(id)
      if (!item) return
      update({ ...item, state: 'pending' })
      void pump(item.receiverId)
    },
    discard: remove,
    settle: (id) => {
      if (find(id)) remove(id)
    },
    resume() {
      failures.clear()
      write(async () => {
        const kept = await ports.load()
        if (stopped) return
        publish([
          ...kept.filter((item) => !unwritten.includes(item.id)),
          ...items.filter((item) => unwritten.includes(item.id)),
        ])
        // Discarded in another tab while it travelled from here.
        for (const [id, travel] of travelling) if (!find(id)) travel.abort()
        for (const receiverId of new Set(items.map((item) => item.receiverId))) void pump(receiverId)
      })
    },
    stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      for (const travel of travelling.values()) travel.abort()
    },
  }
}
