import type { ChatMessage } from '@contract/message.ts'
import { create } from 'zustand'
import { onSignOut } from '@/lib/session'

/** What the box below a thread is for: a new message, an answer to one, or a change of one's own. */
export type Composing =
  | { kind: 'write' }
  | { kind: 'reply'; message: ChatMessage }
  | { kind: 'edit'; message: ChatMessage }

const writing: Composing = { kind: 'write' }

/** By the other person's id; nobody listed is simply written to. */
const useStore = create<Readonly<Record<string, Composing>>>(() => ({}))

/** What the box of the conversation with `otherUserId` is for at the moment. */
export function useComposing(otherUserId: string): Composing {
  return useStore((state) => state[otherUserId] ?? writing)
}

/** The same, asked once. */
export function composingOf(otherUserId: string): Composing {
  return useStore.getState()[otherUserId] ?? writing
}

export function setComposing(otherUserId: string, composing: Composing): void {
  useStore.setState({ [otherUserId]: composing })
}

/** Back to a new message: it was sent or changed, or its writer thought better of it. */
export function resetComposing(otherUserId: string): void {
  if (composingOf(otherUserId).kind !== 'write') setComposing(otherUserId, writing)
}

// The next person on this browser answers nobody's message.
onSignOut(() => useStore.setState({}, true))
