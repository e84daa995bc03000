import type { ChatMessage } from '@contract/message.ts'
import { z } from 'zod'
import { ApiError, isTransient } from '@/lib/api'
import { uuidv7 } from '@/lib/uuidv7'

/**
 * A message on its way. `pending` waits or travels; `waiting` failed for a reason that may pass and is sent again
 * by itself; `refused` was turned down and goes again only when its writer says so.
 */
export const OutboxItem = z.object({
  id: z.string(),
  receiverId: z.string(),
  content: z.string(),
  createdAt: z.string(),
  state: z.enum(['pending', 'waiting', 'refused']),
})
export type OutboxItem = z.infer<typeof OutboxItem>

/** What the outbox needs of the world around it. */
export interface OutboxPorts {
  /** Keeps items over a reload, one entry each, so that two tabs never overwrite each other's. */
  load: () => OutboxItem[]
  keep: (item: OutboxItem) => void
  drop: (id: string) => void
  send: (item: OutboxItem) => Promise<ChatMessage>
  /** Runs `task` while no other tab sends to the same person. */
  exclusively: (receiverId: string, task: () => Promise<void>) => Promise<void>
  onSent: (message: ChatMessage) => void
  onFailed: (item: OutboxItem, error: unknown) => void
  onChange: (items: OutboxItem[]) => void
}

export interface Outbox {
  add: (receiverId: string, content: string) => void
  retry: (id: string) => void
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
  let items = sort(ports.load())
  let lastTime = 0
  let stopped = false
  const busy = new Set<string>()
  const failures = new Map<string, number>()
  /** Until when the server asked to be left alone: waking up or pressing 'Retry' is no reason to ask sooner. */
  const notBefore = new Map<string, number>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const publish = (next: OutboxItem[]) => {
    items = sort(next)
    ports.onChange(items)
  }
  const find = (id: string) => items.find((item) => item.id === id)
  const update = (item: OutboxItem) => {
    ports.keep(item)
    publish([...items.filter((one) => one.id !== item.id), item])
  }
  const remove = (id: string) => {
    ports.drop(id)
    if (find(id)) publish(items.filter((item) => item.id !== id))
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
        for (let item = next(receiverId); item && !stopped; item = next(receiverId)) {
          // Another tab may have sent or discarded it while this one waited for its turn.
          if (!ports.load().some((kept) => kept.id === item?.id)) remove(item.id)
          else if (!(await attempt(item))) break
        }
      })
    } finally {
      busy.delete(receiverId)
    }
  }

  /** Answers whether the next one may go. */
  async function attempt(item: OutboxItem): Promise<boolean> {
    try {
      const message = await ports.send(item)
      if (stopped) return false
      failures.delete(item.receiverId)
      ports.onSent(message)
      remove(item.id)
      return true
    } catch (error) {
      if (stopped || !find(item.id)) return !stopped
      return failed(item, error)
    }
  }

  function failed(item: OutboxItem, error: unknown): boolean {
    // A session that ended is no verdict on the message: it goes with the next one.
    const passing = isTransient(error) || (error instanceof ApiError && error.status === 401)
    const isFirst = find(item.id)?.state === 'pending'
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

  ports.onChange(items)
  return {
    add(receiverId, content) {
      // Never the same millisecond twice, so that ids sort as the messages were written.
      lastTime = Math.max(Date.now(), lastTime + 1)
      const createdAt = new Date(lastTime).toISOString()
      update({ id: uuidv7(lastTime), receiverId, content, createdAt, state: 'pending' })
      void pump(receiverId)
    },
    retry(id) {
      const item = find(id)
      if (!item) return
      update({ ...item, state: 'pending' })
      void pump(item.receiverId)
    },
    discard: remove,
    settle: remove,
    resume() {
      failures.clear()
      publish(ports.load())
      for (const receiverId of new Set(items.map((item) => item.receiverId))) void pump(receiverId)
    },
    stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}

function sort(items: OutboxItem[]): OutboxItem[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}
