import type { ChatMessage } from '@contract/message.ts'
import { useEffect, useMemo } from 'react'
import { create } from 'zustand'
import { queryClient } from '@/lib/queryClient'
import { reachability } from '@/lib/reachability'
import { useConnection } from '@/lib/realtime'
import { onSignOut } from '@/lib/session'
import { isUnauthorized, redirectToLogin } from '@/lib/unauthorized'
import { unsentPrefix, userStorage } from '@/lib/userStorage'
import { toast } from '@/ui/toaster'
import { messageKeys } from '../api/keys'
import { sendFailureText, sendMessage } from '../api/send'
import { takeMessage } from '../realtime/applyEvent'
import type { ConversationList } from '../realtime/conversations'
import { createOutbox, type Outbox, OutboxItem } from './outbox'

const useItems = create<{ items: OutboxItem[] }>(() => ({ items: [] }))

let open: { userId: string; outbox: Outbox; users: number; close: () => void } | null = null

/** Keeps the person's outbox sending while mounted, on whatever page they are. */
export function useOutboxRunning(userId: string | undefined): void {
  useEffect(() => {
    if (!userId) return
    const held = open?.userId === userId ? open : openOutbox(userId)
    held.users += 1
    return () => {
      held.users -= 1
      if (held.users > 0) return
      held.close()
      if (open === held) open = null
    }
  }, [userId])
}

/** What is on its way to one person, in the order it was written. */
export function useOutboxItems(receiverId: string): OutboxItem[] {
  const items = useItems((state) => state.items)
  return useMemo(() => items.filter((item) => item.receiverId === receiverId), [items, receiverId])
}

/** The outbox of the signed-in person; null while none is running. */
export function currentOutbox(): Outbox | null {
  return open?.outbox ?? null
}

function openOutbox(userId: string) {
  open?.close()
  const storage = keeper(userId)
  const outbox = createOutbox({
    ...storage,
    send: sendMessage,
    exclusively: async (receiverId, task) => {
      // Only pages served over https or from this machine have locks; elsewhere the ids still prevent doubles.
      if ('locks' in navigator) await navigator.locks.request(`ovation-outbox:${userId}:${receiverId}`, task)
      else await task()
    },
    onSent: (message) => takeIn(message),
    onFailed: (_, error) => {
      if (isUnauthorized(error)) redirectToLogin()
      else toast({ title: 'Message Not Sent', description: sendFailureText(error), tone: 'destructive' })
    },
    onChange: (items) => useItems.setState({ items }),
  })
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key.startsWith(storage.start)) outbox.resume()
  }
  const onVisible = () => document.visibilityState === 'visible' && outbox.resume()
  window.addEventListener('storage', onStorage)
  window.addEventListener('online', outbox.resume)
  document.addEventListener('visibilitychange', onVisible)
  const stopWatching = [
    reachability.subscribe((now, before) => now.reachable && !before.reachable && outbox.resume()),
    onSignOut(outbox.stop),
    useConnection.subscribe((now, before) => now.joined && !before.joined && outbox.resume()),
  ]
  open = {
    userId,
    outbox,
    users: 0,
    close: () => {
      outbox.stop()
      window.removeEventListener('storage', onStorage)
      window.removeEventListener('online', outbox.resume)
      document.removeEventListener('visibilitychange', onVisible)
      for (const stop of stopWatching) stop()
      useItems.setState({ items: [] })
    },
  }
  outbox.resume()
  return open
}

/** Items in the browser's storage, one key each; in memory where the browser refuses. */
function keeper(userId: string) {
  const storage = userStorage(userId)
  const memory = new Map<string, OutboxItem>()
  const name = (id: string) => unsentPrefix + id
  const read = (key: string): OutboxItem | null => {
    try {
      return OutboxItem.parse(JSON.parse(storage.get(key) ?? ''))
    } catch {
      return null
    }
  }
  return {
    start: storage.key(name('')),
    load: () => [...storage.names(name('')).flatMap((key) => read(key) ?? []), ...memory.values()],
    keep: (item: OutboxItem) => {
      storage.set(name(item.id), JSON.stringify(item))
      if (read(name(item.id))) memory.delete(item.id)
      else memory.set(item.id, item)
    },
    drop: (id: string) => {
      storage.remove(name(id))
      memory.delete(id)
    },
  }
}

/** Shows a stored message where its pending one stood. */
function takeIn(message: ChatMessage): void {
  const otherUserId = message.receiverId
  const held = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  const unreadCount = held?.items.find((one) => one.otherUserId === otherUserId)?.unreadCount ?? 0
  takeMessage(queryClient, { message, otherUserId, unreadCount })
}
