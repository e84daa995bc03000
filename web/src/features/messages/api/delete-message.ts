import { api, isUnauthorized } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'
import { applyChangedMessages } from '../apply-change'
import { asDeleted } from '../model/apply-optimistic-edit'
import { addOptimisticEdit } from '../model/optimistic-edits'
import { findCachedMessage } from './cached-message'

/** Takes one of the caller's messages back, for both: shown at once, and taken back if the server refuses. */
export async function deleteMessage(otherUserId: string, messageId: string): Promise<void> {
  const settle = addOptimisticEdit(messageId, { deleted: true })
  try {
    await api.delete(`/api/messages/${encodeURIComponent(messageId)}`)
    const held = findCachedMessage(otherUserId, messageId)
    if (held) applyChangedMessages(queryClient, otherUserId, [asDeleted(held)])
  } catch (error) {
    redirectIfUnauthorized(error)
    if (!isUnauthorized(error)) {
      const description = 'Failed to delete message. Please try again.'
      toast({ title: 'Message Not Deleted', description, tone: 'destructive' })
    }
  } finally {
    settle()
  }
}
