import type { ChatMessage, ReactionEmoji } from '@contract/message.ts'

/** What the person wants of a message and the server has not answered yet: shown as if it were so already. */
export interface OptimisticEdit {
  /** What it shall say. */
  content?: string
  deleted?: true
  /** Whether they shall have reacted, by emoji. */
  reactions?: Readonly<Partial<Record<ReactionEmoji, boolean>>>
}

/** The message as it is once the wish is granted. Returns the very same message where that changes nothing. */
export function applyOptimisticEdit(
  message: ChatMessage,
  wish: OptimisticEdit | undefined,
  me: string,
): ChatMessage {
  if (!wish || message.deleted) return message
  if (wish.deleted) return asDeleted(message)
  let shown = message
  if (wish.content !== undefined && wish.content !== message.content) {
    shown = { ...shown, content: wish.content, editedAt: message.editedAt ?? message.createdAt }
  }
  for (const [emoji, wanted] of Object.entries(wish.reactions ?? {}) as [ReactionEmoji, boolean][]) {
    if (hasReacted(shown, me, emoji) === wanted) continue
    const reactions = wanted
      ? [...shown.reactions, { emoji, userId: me }]
      : shown.reactions.filter((one) => one.emoji !== emoji || one.userId !== me)
    shown = { ...shown, reactions }
  }
  return shown
}

/** A message as deleting leaves it: its place and nothing of what was there. */
export function asDeleted(message: ChatMessage): ChatMessage {
  return {
    ...message,
    content: '',
    deleted: true,
    editedAt: null,
    imageUrl: null,
    imageWidth: null,
    imageHeight: null,
    placeholder: null,
    replyTo: null,
    reactions: [],
  }
}

export function hasReacted(
  message: Pick<ChatMessage, 'reactions'>,
  userId: string,
  emoji: ReactionEmoji,
): boolean {
  return message.reactions.some((one) => one.emoji === emoji && one.userId === userId)
}
