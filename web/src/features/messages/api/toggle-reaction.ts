import { type ChatMessage, type ReactionEmoji, ReactionsResponse } from '@contract/message.ts'
import { api, isUnauthorized } from '@/lib/api'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'
import { hasReacted } from '../model/apply-optimistic-edit'
import { getOptimisticReaction, setOptimisticReaction } from '../model/optimistic-edits'
import { findCachedMessage, patchCachedMessage } from './cached-message'

/** The call toggles: so often at most, if another page of the same person toggles at the same time. */
const attempts = 3
const underWay = new Set<string>()

/**
 * Reacts to a message, or takes that reaction back: shown at once, and taken back if the server refuses. However often
 * it is pressed, one call at a time is made, until the server has what was last wanted.
 */
export async function toggleReaction(
  me: string,
  otherUserId: string,
  message: ChatMessage,
  emoji: ReactionEmoji,
): Promise<void> {
  const held = () => findCachedMessage(otherUserId, message.id) ?? message
  const wanted = getOptimisticReaction(message.id, emoji) ?? hasReacted(held(), me, emoji)
  setOptimisticReaction(message.id, emoji, !wanted)
  const key = `${message.id} ${emoji}`
  if (underWay.has(key)) return
  underWay.add(key)
  try {
    let reacted = hasReacted(held(), me, emoji)
    for (let made = 0; made < attempts && reacted !== getOptimisticReaction(message.id, emoji); made += 1) {
      const { version } = held()
      const { reactions } = await api.post(
        `/api/messages/${encodeURIComponent(message.id)}/reactions`,
        { emoji },
        ReactionsResponse,
      )
      // What was told since may be later than this answer.
      patchCachedMessage(otherUserId, message.id, (one) =>
        one.version === version ? { ...one, reactions } : one,
      )
      reacted = hasReacted({ reactions }, me, emoji)
    }
  } catch (error) {
    redirectIfUnauthorized(error)
    if (!isUnauthorized(error)) {
      toast({ title: 'Error', description: 'Failed to add reaction. Please try again.', tone: 'destructive' })
    }
  } finally {
    underWay.delete(key)
    setOptimisticReaction(message.id, emoji, undefined)
  }
}
