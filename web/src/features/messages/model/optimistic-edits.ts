import type { ChatMessage, ReactionEmoji } from '@contract/message.ts'
import { create } from 'zustand'
import { onSignOut } from '@/session/session'

/** Changes that the user made to one message, displayed before the server has confirmed them. */
interface OptimisticEdit {
  content?: string
  deleted?: true
  /** For each emoji that the user has toggled, whether their reaction is displayed. */
  reactions?: Readonly<Partial<Record<ReactionEmoji, boolean>>>
}

/** The optimistic edits, keyed by the message's id. */
export type OptimisticEdits = Readonly<Record<string, OptimisticEdit>>

export const useOptimisticEdits = create<OptimisticEdits>(() => ({}))

onSignOut(() => useOptimisticEdits.setState({}, true))

/** Adds an optimistic change. Returns a function that removes it, to call when the server has responded. */
export function addOptimisticEdit(
  messageId: string,
  edit: Pick<OptimisticEdit, 'content' | 'deleted'>,
): () => void {
  updateEdit(messageId, (current) => ({ ...current, ...edit }))
  return () =>
    updateEdit(messageId, (current) => {
      const remaining = { ...current }
      // If the text was edited again meanwhile, the later edit stays: the response is for `edit`.
      if (remaining.content === edit.content) delete remaining.content
      if (edit.deleted) delete remaining.deleted
      return remaining
    })
}

/** Shows or hides the user's reaction optimistically; `undefined` removes the optimistic state. */
export function setOptimisticReaction(
  messageId: string,
  emoji: ReactionEmoji,
  isOn: boolean | undefined,
): void {
  updateEdit(messageId, (current) => {
    const { [emoji]: _, ...others } = current.reactions ?? {}
    return { ...current, reactions: isOn === undefined ? others : { ...others, [emoji]: isOn } }
  })
}

export function getOptimisticReaction(messageId: string, emoji: ReactionEmoji): boolean | undefined {
  return useOptimisticEdits.getState()[messageId]?.reactions?.[emoji]
}

function updateEdit(messageId: string, update: (current: OptimisticEdit) => OptimisticEdit): void {
  const { [messageId]: current = {}, ...others } = useOptimisticEdits.getState()
  const next = update(current)
  const isEmpty =
    next.content === undefined && !next.deleted && Object.keys(next.reactions ?? {}).length === 0
  useOptimisticEdits.setState(isEmpty ? others : { ...others, [messageId]: next }, true)
}

/** Returns the message with the optimistic changes; the same object if they change nothing. */
export function applyOptimisticEdit(
  message: ChatMessage,
  edit: OptimisticEdit | undefined,
  me: string,
): ChatMessage {
  if (!edit || message.deleted) return message
  if (edit.deleted) return asDeleted(message)
  let edited = message
  if (edit.content !== undefined && edit.content !== message.content) {
    edited = { ...edited, content: edit.content, editedAt: message.editedAt ?? message.createdAt }
  }
  for (const [emoji, isOn] of Object.entries(edit.reactions ?? {}) as [ReactionEmoji, boolean][]) {
    if (hasReacted(edited, me, emoji) === isOn) continue
    const reactions = isOn
      ? [...edited.reactions, { emoji, userId: me }]
      : edited.reactions.filter((reaction) => reaction.emoji !== emoji || reaction.userId !== me)
    edited = { ...edited, reactions }
  }
  return edited
}

/** Returns the message as it is after its deletion: still in the thread, but without content. */
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
    voice: null,
    paidPhoto: null,
    replyTo: null,
    reactions: [],
  }
}

export function hasReacted(
  message: Pick<ChatMessage, 'reactions'>,
  userId: string,
  emoji: ReactionEmoji,
): boolean {
  return message.reactions.some((reaction) => reaction.emoji === emoji && reaction.userId === userId)
}
