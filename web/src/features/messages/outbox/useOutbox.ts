import type { ChatMessage } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useMemo } from 'react'
import { create, useStore } from 'zustand'
import { reachability } from '@/lib/api'
import { ApiError, NetworkError } from '@/lib/errors'
import { parseJson } from '@/lib/json'
import { handleRequestError, queryClient } from '@/lib/query-client'
import { userStorage } from '@/lib/storage'
import { useConnection } from '@/realtime/connection'
import { memoryOnlyRecords, outboxStore } from '@/session/outbox-store'
import { onSignOut } from '@/session/session'
import { invalidateMessageAccess } from '../api/conversations'
import { messageKeys } from '../api/keys'
import { sendMessage, uploadMessageMedia } from '../api/message-actions'
import { applyNewMessage } from '../cache-updates'
import type { ConversationList } from '../model/conversations'
import { createOutbox, type Outbox, OutboxItem, StoredItem, toStoredItem } from './outbox'

const useItems = create<{ items: OutboxItem[] }>(() => ({ items: [] }))

/** How much of each file that is being uploaded has been sent, as a whole percentage, by message id. */
const useUploads = create<Readonly<Record<string, number>>>(() => ({}))

let openOutbox: { userId: string; outbox: Outbox; userCount: number; close: () => void } | null = null

/** Keeps the user's outbox running while mounted. */
export function useRunOutbox(userId: string | undefined): void {
  useEffect(() => {
    if (!userId) return
    const current = openOutbox?.userId === userId ? openOutbox : startOutbox(userId)
    current.userCount += 1
    return () => {
      current.userCount -= 1
      if (current.userCount > 0) return
      current.close()
      if (openOutbox === current) openOutbox = null
    }
  }, [userId])
}

/** Returns the outbox items for one receiver, in the order they were written. */
export function useOutboxItems(receiverId: string): OutboxItem[] {
  const items = useItems((state) => state.items)
  return useMemo(() => items.filter((item) => item.receiverId === receiverId), [items, receiverId])
}

/** Returns how much of a message's file has been sent, as a whole percentage; undefined if none is uploading. */
export function useUploadProgress(messageId: string): number | undefined {
  return useUploads((uploads) => uploads[messageId])
}

/** Returns whether the browser refused to store the item, which is then lost when the user leaves the page. */
export function useIsInMemoryOnly(id: string): boolean {
  return useStore(memoryOnlyRecords, ({ ids }) => ids.has(id))
}

/** Returns the current user's outbox; null if none is running. */
export function currentOutbox(): Outbox | null {
  return openOutbox?.outbox ?? null
}

function startOutbox(userId: string) {
  openOutbox?.close()
  const storage = createOutboxStorage(userId, () => outbox.resume())
  const outbox = createOutbox({
    ...storage,
    upload: async (item, signal) => {
      try {
        return await uploadMessageMedia(item, signal, (percent) =>
          useUploads.setState({ [item.id]: percent }),
        )
      } finally {
        useUploads.setState(({ [item.id]: _, ...others }) => others, true)
      }
    },
    send: sendMessage,
    withReceiverLock: async (receiverId, task) => {
      // Locks exist only in secure contexts (HTTPS or localhost). Elsewhere, the message ids still prevent duplicates.
      if ('locks' in navigator) await navigator.locks.request(`ovation-outbox:${userId}:${receiverId}`, task)
      else await task()
    },
    onSent: addSentMessage,
    onFailed: ({ receiverId }, error) => {
      // The connection banner and the message itself already show that the server is unreachable.
      if (error instanceof NetworkError && !reachability.getState().reachable) return
      if (error instanceof ApiError && [403, 404].includes(error.status))
        invalidateMessageAccess(queryClient, receiverId)
      handleRequestError(error, { errorTitle: t`Message Not Sent`, errorMessage: sendErrorText(error) })
    },
    onChange: (items) => useItems.setState({ items }),
  })
  const onVisibilityChange = () => document.visibilityState === 'visible' && outbox.resume()
  window.addEventListener('online', outbox.resume)
  document.addEventListener('visibilitychange', onVisibilityChange)
  const unsubscribers = [
    reachability.subscribe((now, before) => now.reachable && !before.reachable && outbox.resume()),
    onSignOut(outbox.stop),
    useConnection.subscribe((now, before) => now.joined && !before.joined && outbox.resume()),
  ]
  openOutbox = {
    userId,
    outbox,
    userCount: 0,
    close: () => {
      outbox.stop()
      storage.close()
      window.removeEventListener('online', outbox.resume)
      document.removeEventListener('visibilitychange', onVisibilityChange)
      for (const unsubscribe of unsubscribers) unsubscribe()
      useItems.setState({ items: [] })
      useUploads.setState({}, true)
    },
  }
  outbox.resume()
  return openOutbox
}

/** Adds a sent message to the caches, so that it replaces its outbox item. */
function addSentMessage(message: ChatMessage): void {
  const otherUserId = message.receiverId
  const list = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  const unreadCount = list?.items.find((item) => item.otherUserId === otherUserId)?.unreadCount ?? 0
  applyNewMessage(queryClient, { message, otherUserId, unreadCount })
}

/** Older versions of the site stored items in localStorage under this prefix. */
const legacyPrefix = 'outbox:'

/**
 * Returns the storage of the user's items in this browser.
 *
 * @param onOtherTabChange called when another tab changes them
 */
function createOutboxStorage(userId: string, onOtherTabChange: () => void) {
  const store = outboxStore(userId)
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`outbox:${userId}`)
  if (channel) channel.onmessage = onOtherTabChange
  let closed = false
  const notifyAfter = async (write: Promise<void>) => {
    await write
    if (!closed) channel?.postMessage('changed')
  }
  let migration: Promise<void> | undefined
  return {
    async load(): Promise<OutboxItem[]> {
      migration ??= migrateLegacyItems(userId, (item) => store.put(item.id, item))
      await migration
      return (await store.all()).flatMap((record) => StoredItem.safeParse(record).data ?? [])
    },
    has: (id: string) => store.has(id),
    put: (item: OutboxItem) => notifyAfter(store.put(item.id, toStoredItem(item))),
    replace: (item: OutboxItem) => notifyAfter(store.replace(item.id, toStoredItem(item))),
    remove: (id: string) => notifyAfter(store.remove(id)),
    close: () => {
      closed = true
      channel?.close()
    },
  }
}

/** Moves items from localStorage, where older versions of the site stored them, to the current storage. */
async function migrateLegacyItems(userId: string, put: (item: OutboxItem) => Promise<void>): Promise<void> {
  const storage = userStorage(userId)
  for (const name of storage.names(legacyPrefix)) {
    const item = OutboxItem.safeParse(parseJson(storage.get(name))).data
    if (item) await put(item)
    storage.remove(name)
  }
}

/** Returns the text that tells the sender why a message was not sent. */
export function sendErrorText(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'direct_messages_disabled') {
      return t`This user has disabled direct messages in their privacy settings.`
    }
    // A receiver id that is not a UUID fails validation.
    if (error.code === 'recipient_not_found' || error.errors.receiverId) return t`User not found.`
  }
  return t`Failed to send message. Please try again.`
}
