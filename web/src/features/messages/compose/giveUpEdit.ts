import type { ChatMessage } from '@contract/message.ts'
import { toast } from '@/ui/toaster'
import { letGoOf } from '../composing'
import { addToDraft } from './draft'

/**
 * A message can no longer be changed: its writer is told why, the box is for new messages again, and what they wrote
 * stands in it. Does nothing and says so where the message is not being changed any more.
 */
export function giveUpEdit(
  me: string,
  otherUserId: string,
  message: ChatMessage,
  text: string,
  reason: string,
): boolean {
  if (!letGoOf(otherUserId, message.id)) return false
  const kept = text.trim() !== '' && text.trim() !== message.content
  if (kept) addToDraft(me, otherUserId, text)
  const description = kept ? `${reason} What you wrote is kept as a new message.` : reason
  toast({ title: 'Message Not Edited', description, tone: 'destructive' })
  return true
}
