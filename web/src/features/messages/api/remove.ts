import { api } from '@/lib/api'
import { queryClient } from '@/lib/queryClient'
import { handleUnauthorized, isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { takeChanged } from '../realtime/applyChange'
import { asDeleted } from '../realtime/wishes'
import { wish } from '../wishes'
import { heldMessage } from './held'

/** Takes one of the caller's messages back, for both: shown at once, and taken back if the server refuses. */
export async function deleteMessage(otherUserId: string, messageId: string): Promise<void> {
  const settle = wish(messageId, { deleted: true })
  try {
    await api.delete(`/api/messages/${encodeURIComponent(messageId)}`)
    const held = heldMessage(otherUserId, messageId)
    if (held) takeChanged(queryClient, otherUserId, [asDeleted(held)])
  } catch (error) {
    handleUnauthorized(error)
    if (!isUnauthorized(error)) {
      const description = 'Failed to delete message. Please try again.'
      toast({ title: 'Message Not Deleted', description, tone: 'destructive' })
    }
  } finally {
    settle()
  }
}
