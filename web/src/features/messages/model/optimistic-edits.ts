import type { ReactionEmoji } from '@contract/message.ts'
import { create } from 'zustand'
import { onSignOut } from '@/session/session'
import type { OptimisticEdit } from './apply-optimistic-edit'

/** By the message's id. */
export type OptimisticEdits = Readonly<Record<string, OptimisticEdit>>

/** What the person wants of messages that the server has not answered yet. */
export const useOptimisticEdits = create<OptimisticEdits>(() => ({}))

onSignOut(() => useOptimisticEdits.setState({}, true))

/** Shows a change at once; what it gives takes that back, because the server did it or refused. */
export function addOptimisticEdit(
  messageId: string,
  wanted: Pick<OptimisticEdit, 'content' | 'deleted'>,
): () => void {
  change(messageId, (before) => ({ ...before, ...wanted }))
  return () =>
    change(messageId, (before) => {
      const after = { ...before }
      // A later wish stays: the answer was to this one.
      if (after.content === wanted.content) delete after.content
      if (wanted.deleted) delete after.deleted
      return after
    })
}

/** Shows a reaction, or none, at once; with `undefined`, what the server says. */
export function setOptimisticReaction(
  messageId: string,
  emoji: ReactionEmoji,
  wanted: boolean | undefined,
): void {
  change(messageId, (before) => {
    const { [emoji]: _, ...others } = before.reactions ?? {}
    return { ...before, reactions: wanted === undefined ? others : { ...others, [emoji]: wanted } }
  })
}

export function getOptimisticReaction(messageId: string, emoji: ReactionEmoji): boolean | undefined {
  return useOptimisticEdits.getState()[messageId]?.reactions?.[emoji]
}

function change(messageId: string, next: (before: OptimisticEdit) => OptimisticEdit): void {
  const { [messageId]: before = {}, ...others } = useOptimisticEdits.getState()
  const after = next(before)
  const isEmpty =
    after.content === undefined && !after.deleted && Object.keys(after.reactions ?? {}).length === 0
  useOptimisticEdits.setState(isEmpty ? others : { ...others, [messageId]: after }, true)
}
