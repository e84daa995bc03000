import { limits } from '@contract/limits.ts'
import type { ChatMessage } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { z } from 'zod'
import { create } from 'zustand'
import { queryClient } from '@/lib/query-client'
import { createDraftStore, useStoredDraft } from '@/lib/storage'
import { onSignOut } from '@/session/session'
import { toast } from '@/ui/toaster'
import { messageKeys } from './api/keys'
import type { Thread } from './model/thread'

/**
 * The mode of the composer below a thread: a new message, a reply, or an edit with its unsaved text. `message` is the
 * message being replied to or edited, as it was when the mode started or when an edit of it was last saved.
 * `useLatestMessage` returns the latest version of the message.
 */
type ComposerState = { kind: 'write' } | { kind: 'reply'; message: ChatMessage } | MessageEdit

export interface MessageEdit {
  kind: 'edit'
  message: ChatMessage
  text: string
  /** Distinguishes this edit from later edits of the same message. */
  editId: number
}

let lastEditId = 0

const writeState: ComposerState = { kind: 'write' }

/** The composer modes, keyed by the other user's id. Conversations without an entry are in `write` mode. */
const useStore = create<Readonly<Record<string, ComposerState>>>(() => ({}))

/** Returns the composer's mode in the conversation with `otherUserId`. */
export function useComposerState(otherUserId: string): ComposerState {
  return useStore((state) => state[otherUserId] ?? writeState)
}

/** Like `useComposerState`, but for use outside of components. */
export function getComposerState(otherUserId: string): ComposerState {
  return useStore.getState()[otherUserId] ?? writeState
}

export function startReply(otherUserId: string, message: ChatMessage): void {
  useStore.setState({ [otherUserId]: { kind: 'reply', message } })
}

/** Called instead of starting an edit, keyed by the other user's id. */
const editGuards = new Map<string, (start: () => void) => void>()

/**
 * Makes `startEdit` call `guard`, which can start the edit later or not at all. Returns a function that removes the
 * guard.
 */
export function guardEdits(otherUserId: string, guard: (start: () => void) => void): () => void {
  editGuards.set(otherUserId, guard)
  return () => void editGuards.delete(otherUserId)
}

/** Starts an edit of a message; does nothing if that message is being edited already. */
export function startEdit(otherUserId: string, message: ChatMessage): void {
  const state = getComposerState(otherUserId)
  if (state.kind === 'edit' && state.message.id === message.id) return
  const start = () => {
    lastEditId += 1
    useStore.setState({ [otherUserId]: { kind: 'edit', message, text: message.content, editId: lastEditId } })
  }
  const guard = editGuards.get(otherUserId)
  if (guard) guard(start)
  else start()
}

/** Returns true if the user can still edit the message. The server decides by its own clock. */
export function isEditable(message: ChatMessage, me: string, now = Date.now()): boolean {
  return (
    message.senderId === me &&
    !message.deleted &&
    !message.voice &&
    now - Date.parse(message.createdAt) < limits.messageEditWindowMs
  )
}

/** Starts an edit of the user's last message that is still editable. Returns false if there is none. */
export function startEditingLastMessage(me: string, otherUserId: string): boolean {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  const message = thread?.findLast((candidate) => isEditable(candidate, me))
  if (message) startEdit(otherUserId, message)
  return message !== undefined
}

/** Stores the unsaved text of the edit in progress. */
export function updateEdit(otherUserId: string, text: string): void {
  const state = getComposerState(otherUserId)
  if (state.kind === 'edit') useStore.setState({ [otherUserId]: { ...state, text } })
}

/** Returns the composer to `write` mode. */
export function resetComposer(otherUserId: string): void {
  if (getComposerState(otherUserId).kind !== 'write') useStore.setState({ [otherUserId]: writeState })
}

/** Returns the composer to `write` mode if the user is replying to or editing this message, which is being deleted. */
export function endReplyOrEdit(otherUserId: string, messageId: string): void {
  const state = getComposerState(otherUserId)
  if (state.kind !== 'write' && state.message.id === messageId) resetComposer(otherUserId)
}

/**
 * Ends an edit after it was saved. The composer returns to `write` mode if it still contains the saved text. Text that
 * the user typed during the save, or another edit that they started, stays.
 *
 * @param message the saved message
 * @param content the text that was saved
 */
export function finishEdit(otherUserId: string, message: ChatMessage, content: string, editId: number): void {
  const state = getComposerState(otherUserId)
  if (state.kind !== 'edit' || state.message.id !== message.id) return
  if (state.editId === editId && state.text.trim() === content) resetComposer(otherUserId)
  else useStore.setState({ [otherUserId]: { ...state, message } })
}

/** Cancels and returns the edit of this message; returns null if the message is not being edited. */
export function cancelEdit(otherUserId: string, messageId: string): MessageEdit | null {
  const state = getComposerState(otherUserId)
  if (state.kind !== 'edit' || state.message.id !== messageId) return null
  resetComposer(otherUserId)
  return state
}

/**
 * Shows in a toast why a message can no longer be edited. If it is being edited, cancels the edit and moves the unsaved
 * text to the draft of a new message.
 */
export function abandonEdit(me: string, otherUserId: string, messageId: string, reason: string): void {
  const edit = cancelEdit(otherUserId, messageId)
  const unsavedText = edit && edit.text.trim() !== edit.message.content ? edit.text : ''
  const hasUnsavedText = unsavedText.trim() !== ''
  if (hasUnsavedText) appendToDraft(me, otherUserId, unsavedText)
  const description = hasUnsavedText ? t`${reason} Your text was moved to a new message.` : reason
  toast({ title: t`Message not edited`, description, tone: 'destructive' })
}

// A composer mode must not carry over to the next user of this browser.
onSignOut(() => useStore.setState({}, true))

const draftName = (receiverId: string) => `draft:message:${receiverId}`

/** The draft of a new message. */
const MessageDraft = z.object({
  text: z.string(),
  /** The post that the message links to. */
  postId: z.string().nullable(),
  /** The id of a mass message. Set by the first attempt to send the message. */
  id: z.string().optional(),
})
type MessageDraft = z.infer<typeof MessageDraft>

const drafts = createDraftStore<MessageDraft>({
  empty: () => ({ text: '', postId: null }),
  parse: parseDraft,
  isEmpty: ({ text, postId }) => text === '' && postId === null,
})

/** Parses a stored draft. Older versions of the site stored only the text, as a JSON string or as plain text. */
export function parseDraft(stored: string | null): MessageDraft | undefined {
  if (stored === null) return
  try {
    const draft: unknown = JSON.parse(stored)
    const text = typeof draft === 'string' ? draft : stored
    return MessageDraft.safeParse(draft).data ?? { text, postId: null }
  } catch {
    return { text: stored, postId: null }
  }
}

/**
 * Returns the draft of a new message, and a function that changes some of its fields. The browser stores the draft and
 * shares it between tabs.
 */
export function useMessageDraft(
  me: string,
  receiverId: string,
): [MessageDraft, (change: Partial<MessageDraft>) => void] {
  const draft = useStoredDraft(drafts, me, draftName(receiverId))
  const changeDraft = useCallback(
    (change: Partial<MessageDraft>) => {
      const current = drafts.get(me, draftName(receiverId))
      drafts.set(me, draftName(receiverId), { ...current, ...change })
    },
    [me, receiverId],
  )
  return [draft, changeDraft]
}

function appendToDraft(me: string, receiverId: string, text: string): void {
  const draft = drafts.get(me, draftName(receiverId))
  drafts.set(me, draftName(receiverId), {
    ...draft,
    text: draft.text === '' ? text : `${draft.text}\n${text}`,
  })
}
