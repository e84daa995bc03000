import type { ChatMessage } from '@contract/message.ts'
import { create } from 'zustand'
import { onSignOut } from '@/session/session'

/**
 * What the box below a thread is for: a new message, an answer to one, or a change of one's own, with what it is to
 * say by now. `message` is as it was then (see `useMessageNow`), or as the last change of it made it.
 */
export type ComposerState = { kind: 'write' } | { kind: 'reply'; message: ChatMessage } | MessageEdit

export interface MessageEdit {
  kind: 'edit'
  message: ChatMessage
  text: string
  /** Tells a change from one of the same message that is begun after it was let go of. */
  turn: number
}

let turns = 0

const writing: ComposerState = { kind: 'write' }

/** By the other person's id; nobody listed is simply written to. */
const useStore = create<Readonly<Record<string, ComposerState>>>(() => ({}))

/** What the box of the conversation with `otherUserId` is for at the moment. */
export function useComposerState(otherUserId: string): ComposerState {
  return useStore((state) => state[otherUserId] ?? writing)
}

/** The same outside a component. */
export function getComposerState(otherUserId: string): ComposerState {
  return useStore.getState()[otherUserId] ?? writing
}

export function startReply(otherUserId: string, message: ChatMessage): void {
  useStore.setState({ [otherUserId]: { kind: 'reply', message } })
}

/** Begins to change a message, or goes on where it has begun. */
export function startEdit(otherUserId: string, message: ChatMessage): void {
  const held = getComposerState(otherUserId)
  if (held.kind === 'edit' && held.message.id === message.id) return
  turns += 1
  useStore.setState({ [otherUserId]: { kind: 'edit', message, text: message.content, turn: turns } })
}

/** Keeps what the message that is being changed is to say. */
export function updateEdit(otherUserId: string, text: string): void {
  const held = getComposerState(otherUserId)
  if (held.kind === 'edit') useStore.setState({ [otherUserId]: { ...held, text } })
}

/** Back to a new message: it was sent, or its writer thought better of it. */
export function resetComposer(otherUserId: string): void {
  if (getComposerState(otherUserId).kind !== 'write') useStore.setState({ [otherUserId]: writing })
}

/** The same where the box is for this message: it was taken back. */
export function resetComposerIfFor(otherUserId: string, messageId: string): void {
  const held = getComposerState(otherUserId)
  if (held.kind !== 'write' && held.message.id === messageId) resetComposer(otherUserId)
}

/**
 * What an edit was to say is stored: `message` is as it is now. The box goes back to a new message where that is all it
 * held. What was typed since, or in a change begun since, stays.
 *
 * @param content what was stored
 */
export function finishEdit(otherUserId: string, message: ChatMessage, content: string, turn: number): void {
  const held = getComposerState(otherUserId)
  if (held.kind !== 'edit' || held.message.id !== message.id) return
  if (held.turn === turn && held.text.trim() === content) resetComposer(otherUserId)
  else useStore.setState({ [otherUserId]: { ...held, message } })
}

/** Lets go of the change of this message, if it is being changed; answers it. */
export function takeEdit(otherUserId: string, messageId: string): MessageEdit | null {
  const held = getComposerState(otherUserId)
  if (held.kind !== 'edit' || held.message.id !== messageId) return null
  resetComposer(otherUserId)
  return held
}

// The next person on this browser answers nobody's message.
onSignOut(() => useStore.setState({}, true))
