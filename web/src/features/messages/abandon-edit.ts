import { toast } from '@/ui/toaster'
import { takeEdit } from './composer-state'
import { appendToDraft } from './message-draft'

/**
 * A message can no longer be changed: its writer is told why, the box is for new messages again, and what they wrote
 * stands in it. Does nothing and says so where the message is not being changed any more.
 */
export function abandonEdit(me: string, otherUserId: string, messageId: string, reason: string): boolean {
  const edit = takeEdit(otherUserId, messageId)
  if (!edit) return false
  const kept = edit.text.trim() !== '' && edit.text.trim() !== edit.message.content
  if (kept) appendToDraft(me, otherUserId, edit.text)
  const description = kept ? `${reason} What you wrote is kept as a new message.` : reason
  toast({ title: 'Message Not Edited', description, tone: 'destructive' })
  return true
}
