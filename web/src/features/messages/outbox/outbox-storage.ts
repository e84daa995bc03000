import { outboxStore } from '@/lib/outbox-store'
import { userStorage } from '@/lib/storage'
import { OutboxItem } from './outbox-item'

/** Where the site kept them before it used IndexedDB. */
const formerPrefix = 'outbox:'

/**
 * A person's items in this browser, as the outbox wants them. `onOthers` runs when another tab changed them.
 */
export function createOutboxStorage(userId: string, onOthers: () => void) {
  const store = outboxStore(userId)
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`outbox:${userId}`)
  if (channel) channel.onmessage = onOthers
  let closed = false
  const tell = async (kept: Promise<void>) => {
    await kept
    if (!closed) channel?.postMessage('changed')
  }
  let moved: Promise<void> | undefined
  return {
    async load(): Promise<OutboxItem[]> {
      moved ??= moveFormer(userId, (item) => store.put(item.id, item))
      await moved
      return (await store.all()).flatMap((record) => OutboxItem.safeParse(record).data ?? [])
    },
    has: (id: string) => store.has(id),
    keep: (item: OutboxItem) => tell(store.put(item.id, item)),
    change: (item: OutboxItem) => tell(store.replace(item.id, item)),
    drop: (id: string) => tell(store.remove(id)),
    close: () => {
      closed = true
      channel?.close()
    },
  }
}

/** Takes over what an older version of the site left behind. */
async function moveFormer(userId: string, put: (item: OutboxItem) => Promise<void>): Promise<void> {
  const storage = userStorage(userId)
  for (const name of storage.names(formerPrefix)) {
    const item = read(storage.get(name))
    if (item) await put(item)
    storage.remove(name)
  }
}

function read(stored: string | null): OutboxItem | undefined {
  try {
    return OutboxItem.parse(JSON.parse(stored ?? ''))
  } catch {
    return undefined
  }
}
