import type { ChatMessage } from '@contract/message.ts'
import { useEffect, useMemo } from 'react'
import { create, useStore } from 'zustand'
import { ApiError, isUnauthorized } from '@/lib/api'
import { memoryOnlyItems } from '@/lib/outbox-store'
import { queryClient } from '@/lib/query-client'
import { reachability } from '@/lib/reachability'
import { useConnection } from '@/realtime'
import { redirectToLogin } from '@/session/login-redirect'
import { onSignOut } from '@/session/session'
import { toast } from '@/ui/toaster'
import { messageKeys } from '../api/keys'
import { invalidateMessageAccess } from '../api/message-access'
import { sendErrorText, sendMessage, uploadMessageImage } from '../api/send-message'
import { applyNewMessage } from '../cache-updates'
import type { ConversationList } from '../model/conversations'
import { createOutbox, type Outbox } from './outbox'
import type { OutboxItem } from './outbox-item'
import { createOutboxStorage } from './outbox-storage'

const useItems = create<{ items: OutboxItem[] }>(() => ({ items: [] }))

/** How much of a picture has been sent, from 0 to 1, by the message's id, while it is being uploaded. */
const useUploads = create<Readonly<Record<string, number>>>(() => ({}))

let open: { userId: string; outbox: Outbox; users: number; close: () => void } | null = null

/** Keeps the person's outbox sending while mounted, on whatever page they are. */
export function useRunOutbox(userId: string | undefined): void {
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

/** How much of a message's picture has been sent, from 0 to 1; undefined while none is being uploaded. */
export function useUploadProgress(id: string): number | undefined {
  return useUploads((uploads) => uploads[id])
}

/** A message that this browser would not keep: it is lost with the page. */
export function useIsInMemoryOnly(id: string): boolean {
  return useStore(memoryOnlyItems, ({ ids }) => ids.has(id))
}

/** The outbox of the signed-in person; null while none is running. */
export function currentOutbox(): Outbox | null {
  return open?.outbox ?? null
}

function openOutbox(userId: string) {
  open?.close()
  const kept = createOutboxStorage(userId, () => outbox.resume())
  const outbox = createOutbox({
    ...kept,
    upload: async (item, signal) => {
      try {
        return await uploadMessageImage(item, signal, (part) => useUploads.setState({ [item.id]: part }))
      } finally {
        useUploads.setState(({ [item.id]: _, ...others }) => others, true)
      }
    },
    send: sendMessage,
    exclusively: async (receiverId, task) => {
      // Only pages served over https or from this machine have locks; elsewhere the ids still prevent doubles.
      if ('locks' in navigator) await navigator.locks.request(`ovation-outbox:${userId}:${receiverId}`, task)
      else await task()
    },
    onSent: (message) => takeIn(message),
    onFailed: ({ receiverId }, error) => {
      if (error instanceof ApiError && [403, 404].includes(error.status))
        invalidateMessageAccess(queryClient, receiverId)
      if (isUnauthorized(error)) redirectToLogin()
      else toast({ title: 'Message Not Sent', description: sendErrorText(error), tone: 'destructive' })
    },
    onChange: (items) => useItems.setState({ items }),
  })
  const onVisible = () => document.visibilityState === 'visible' && outbox.resume()
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
      kept.close()
      window.removeEventListener('online', outbox.resume)
      document.removeEventListener('visibilitychange', onVisible)
      for (const stop of stopWatching) stop()
      useItems.setState({ items: [] })
      useUploads.setState({}, true)
    },
  }
  outbox.resume()
  return open
}

/** Shows a stored message where its pending one stood. */
function takeIn(message: ChatMessage): void {
  const otherUserId = message.receiverId
  const held = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  const unreadCount = held?.items.find((one) => one.otherUserId === otherUserId)?.unreadCount ?? 0
  applyNewMessage(queryClient, { message, otherUserId, unreadCount })
}
