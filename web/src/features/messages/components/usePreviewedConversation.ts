import type { ConversationFilter } from '@contract/message.ts'
import { useState } from 'react'
import { useConversations } from '../api/conversations'

/**
 * Returns the conversation to preview: the first one of the list. It stays the same while messages arrive in other
 * conversations, until the filter changes or `enabled` becomes false.
 */
export function usePreviewedConversation(
  filter: ConversationFilter | undefined,
  { enabled }: { enabled: boolean },
): { userId: string | null; isLoading: boolean } {
  const { data, isPending } = useConversations(filter)
  const [preview, setPreview] = useState<{ userId: string; filter: ConversationFilter | undefined }>()
  const items = enabled && data ? data.items : []
  const isCurrent =
    preview?.filter === filter && items.some(({ otherUserId }) => otherUserId === preview?.userId)
  const first = items[0]
  if (!isCurrent && first) setPreview({ userId: first.otherUserId, filter })
  if (!isCurrent && !first && preview) setPreview(undefined)
  return {
    userId: isCurrent ? (preview?.userId ?? null) : (first?.otherUserId ?? null),
    isLoading: enabled && isPending,
  }
}
