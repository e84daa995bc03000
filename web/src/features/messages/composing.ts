import type { ChatMessage } from '@contract/message.ts'
import { create } from 'zustand'
import { onSignOut } from '@/lib/session'

/**
 * What the box below a thread is for: a new message, an answer to one, or a change of one's own, with what it is to
 * say by now. `message` is as it was then (see `useMessageNow`).
 */
export type Composing =
  | { kind: 'write' }
  | { kind: 'reply'; message: ChatMessage }
  | { kind: 'edit'; message: ChatMessage; text: string }

const writing: Composing = { kind: 'write' }

/** By the other person's id; nobody listed is simply written to. */
const useStore = create<Readonly<Record<string, Composing>>>(() => ({}))

/** What the box of the conversation with `otherUserId` is for at the moment. */
export function useComposing(otherUserId: string): Composing {
  return useStore((state) => state[otherUserId] ?? writing)
}

function composingOf(otherUserId: string): Composing {
  return useStore.getState()[otherUserId] ?? writing
}

export function beginReply(otherUserId: string, message: ChatMessage): void {
  useStore.setState({ [otherUserId]: { kind: 'reply', message } })
}

/** Begins to change a message, or goes on where it has begun. */
export function beginEdit(otherUserId: string, message: ChatMessage): void {
  const held = composingOf(otherUserId)
  if (held.kind === 'edit' && held.message.id === message.id) return
  useStore.setState({ [otherUserId]: { kind: 'edit', message, text: message.content } })
}

/** Keeps what the message that is being changed is to say. */
export function keepEdit(otherUserId: string, text: string): void {
  const held = composingOf(otherUserId)
  if (held.kind === 'edit') useStore.setState({ [otherUserId]: { ...held, text } })
}

/** Back to a new message: it was sent, or its writer thought better of it. */
export function resetComposing(otherUserId: string): void {
  if (composingOf(otherUserId).kind !== 'write') useStore.setState({ [otherUserId]: writing })
}

/** The same where the box is for this message: it was changed or taken back. Says whether it was. */
export function letGoOf(otherUserId: string, messageId: string): boolean {
  const held = composingOf(otherUserId)
  if (held.kind === 'write' || held.message.id !== messageId) return false
  resetComposing(otherUserId)
  return true
}

// The next person on this browser answers nobody's message.
onSignOut(() => useStore.setState({}, true))
