import type { ConversationFilter } from '@contract/message.ts'
import { useState } from 'react'
import { useConversations } from '../api/conversations'

/**
 * Returns the conversation to preview while none is open: the first listed one that is read and that the viewer has
 * written in. Unread messages, and requests from strangers with the images in them, appear only when the viewer opens
 * them. The preview stays the same while messages arrive, until the filter changes, a conversation is opened or
 * `enabled` becomes false.
 */
export function usePreviewedConversation(
  filter: ConversationFilter | undefined,
  openUserId: string | null,
  { enabled }: { enabled: boolean },
): { userId: string | null; isLoading: boolean } {
  const [preview, setPreview] = useState<{ userId: string; filter: ConversationFilter | undefined }>()
  // `ConversationListPanel` passes the same user, because the two share the query and either may refetch it.
  const { data, isPending } = useConversations(filter, openUserId ?? preview?.userId)
  const canPreview = enabled && !openUserId
  const items = canPreview && data ? data.items.filter(({ hasWritten }) => hasWritten) : []
  const isCurrent =
    preview?.filter === filter && items.some(({ otherUserId }) => otherUserId === preview?.userId)
  const first = items.find(({ isRead }) => isRead)
  if (!isCurrent && first) setPreview({ userId: first.otherUserId, filter })
  if (!isCurrent && !first && preview) setPreview(undefined)
  return {
    userId: isCurrent ? (preview?.userId ?? null) : (first?.otherUserId ?? null),
    isLoading: canPreview && isPending,
  }
}
