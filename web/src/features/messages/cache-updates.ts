import { userEvents } from '@contract/events.ts'
import type { ChatMessage } from '@contract/message.ts'
import type { QueryClient } from '@tanstack/react-query'
import { invalidateQueries, setCachedCount } from '@/lib/query-cache'
import { messageKeys } from './api/keys'
import {
  applyChangeToList,
  applyMessageToList,
  applyReadToList,
  type ConversationList,
} from './model/conversations'
import {
  applyChanges,
  applyMessage,
  applyRead,
  type ChangeLog,
  createChangeLog,
  recordChange,
  type Thread,
  type ThreadWindow,
  withLoggedChanges,
} from './model/thread'

/**
 * Applies an event from the user's own channel to the caches; ignores events that are not about messages.
 *
 * @returns the id of the message that the event delivered, if any
 */
export function applyMessagesEvent(
  client: QueryClient,
  me: string,
  event: string,
  payload: unknown,
): { receivedMessageId?: string } {
  if (event === 'message.created') return onMessageCreated(client, me, payload)
  if (event === 'conversation.read') onConversationRead(client, me, payload)
  if (event === 'mass_message.finished') invalidateMessages(client)
  if (event === 'message.changed' || event === 'reaction.changed') onMessageChanged(client, event, payload)
  return {}
}

function onMessageCreated(client: QueryClient, me: string, payload: unknown): { receivedMessageId?: string } {
  const parsed = userEvents['message.created'].safeParse(payload)
  if (!parsed.success) {
    invalidateMessages(client)
    return {}
  }
  const { message, otherUserId, unreadTotal, unreadCount } = parsed.data
  const recorded = recordMessage(getReadMarks(me), otherUserId, message.seq)
  readMarks.marks = recorded.marks
  if (recorded.isNew) setCachedCount(client, messageKeys.unread, { count: unreadTotal })
  applyNewMessage(client, { message, otherUserId, unreadCount })
  return { receivedMessageId: message.id }
}

/** Adds a stored message to the cached thread and conversation lists. Refetches those in which it leaves a gap. */
export function applyNewMessage(
  client: QueryClient,
  update: { message: ChatMessage; otherUserId: string; unreadCount: number },
): void {
  const threadKey = messageKeys.thread(update.otherUserId)
  // A change to the message may have arrived before the message itself.
  const [message = update.message] = withReceivedChanges(client, update.otherUserId, [update.message])
  const { thread, gap } = applyMessage(client.getQueryData<Thread>(threadKey), message)
  if (thread) client.setQueryData(threadKey, thread)
  if (gap || !thread) invalidateQueries(client, { queryKey: threadKey })
  if (message.imageUrl) invalidateQueries(client, { queryKey: messageKeys.details(update.otherUserId) })

  for (const [queryKey, cachedList] of conversationLists(client)) {
    const { list, gap: listGap } = applyMessageToList(cachedList, { ...update, message })
    if (list && list !== cachedList) client.setQueryData(queryKey, list)
    // A message that the user sends never adds a conversation to a filtered list.
    const isFiltered = queryKey.length > messageKeys.conversations.length
    const isMissing = listGap && (!isFiltered || message.senderId === update.otherUserId)
    if (isMissing || !cachedList) invalidateQueries(client, { queryKey, exact: true })
  }
}

/** Returns the unfiltered and the filtered lists, and their keys. A list is undefined until it is loaded. */
function conversationLists(client: QueryClient) {
  return client.getQueriesData<ConversationList>({ queryKey: messageKeys.conversations })
}

/** Changes every loaded conversation list, and refetches those that are still being loaded. */
export function updateConversationLists(
  client: QueryClient,
  change: (list: ConversationList | undefined) => ConversationList | undefined,
): void {
  for (const [queryKey, cachedList] of conversationLists(client)) {
    const list = change(cachedList)
    if (!cachedList) invalidateQueries(client, { queryKey, exact: true })
    else if (list !== cachedList) client.setQueryData(queryKey, list)
  }
}

function onMessageChanged(
  client: QueryClient,
  event: 'message.changed' | 'reaction.changed',
  payload: unknown,
): void {
  const parsed = userEvents[event].safeParse(payload)
  if (parsed.success) applyChangeEvent(client, parsed.data.otherUserId, parsed.data.message)
  else invalidateMessages(client)
}

/** Applies an edit, a deletion or a reaction; refetches the thread if the event reveals that a change was missed. */
export function applyChangeEvent(client: QueryClient, otherUserId: string, message: ChatMessage): void {
  const cachedLog = getChangeLog(client, otherUserId)
  const thread = client.getQueryData<Thread>(messageKeys.thread(otherUserId))
  // Without a log, the conversation was never loaded. Loading it will include every change, so none counts as missed.
  const { log, missed } = recordChange(cachedLog ?? createChangeLog(message.version), message)
  client.setQueryData<ChangeLog>(messageKeys.changeLog(otherUserId), log)
  applyChangedMessages(client, otherUserId, [message])
  if (missed || !thread) invalidateQueries(client, { queryKey: messageKeys.thread(otherUserId), exact: true })
}

/** Applies changed messages to the cached thread, the open window and the conversation list. */
export function applyChangedMessages(
  client: QueryClient,
  otherUserId: string,
  messages: ChatMessage[],
): void {
  // A photo disappears when its message is deleted or the photo is locked again. A restored message may have a photo.
  if (messages.some(({ deleted, imageUrl, paidPhoto }) => deleted || imageUrl || paidPhoto)) {
    invalidateQueries(client, { queryKey: messageKeys.details(otherUserId) })
  }
  const threadKey = messageKeys.thread(otherUserId)
  const thread = client.getQueryData<Thread>(threadKey)
  const changedThread = thread && applyChanges(thread, messages)
  if (changedThread !== thread) client.setQueryData(threadKey, changedThread)

  const windowKey = messageKeys.window(otherUserId)
  const window = client.getQueryData<ThreadWindow>(windowKey)
  const windowMessages = window && applyChanges(window.messages, messages)
  if (window && windowMessages && windowMessages !== window.messages) {
    client.setQueryData<ThreadWindow>(windowKey, { ...window, messages: windowMessages })
  }
  applyChangesToCachedList(client, otherUserId, withReceivedChanges(client, otherUserId, messages))
}

function applyChangesToCachedList(client: QueryClient, otherUserId: string, messages: ChatMessage[]): void {
  for (const [queryKey, cachedList] of conversationLists(client)) {
    const list = messages.reduce(
      (result, message) => applyChangeToList(result, { message, otherUserId }),
      cachedList,
    )
    if (list === cachedList) continue
    client.setQueryData(queryKey, list)
    // The response to a request in progress may be older than these changes.
    if (client.isFetching({ queryKey, exact: true }) > 0) invalidateQueries(client, { queryKey, exact: true })
  }
}

/** Returns the messages with every change received so far applied: a response that was in flight may be outdated. */
export function withReceivedChanges(
  client: QueryClient,
  otherUserId: string,
  messages: ChatMessage[],
): ChatMessage[] {
  return withLoggedChanges(getChangeLog(client, otherUserId), messages)
}

export function getChangeLog(client: QueryClient, otherUserId: string): ChangeLog | undefined {
  return client.getQueryData<ChangeLog>(messageKeys.changeLog(otherUserId))
}

function onConversationRead(client: QueryClient, me: string, payload: unknown): void {
  const parsed = userEvents['conversation.read'].safeParse(payload)
  if (!parsed.success) {
    invalidateMessages(client)
    return
  }
  const { otherUserId, readerId, lastReadSeq, unreadTotal } = parsed.data
  const threadKey = messageKeys.thread(otherUserId)
  const thread = client.getQueryData<Thread>(threadKey)
  const readThread = applyRead(thread, readerId, lastReadSeq)
  if (readThread && readThread !== thread) client.setQueryData(threadKey, readThread)
  const windowKey = messageKeys.window(otherUserId)
  const window = client.getQueryData<ThreadWindow>(windowKey)
  const readMessages = applyRead(window?.messages, readerId, lastReadSeq)
  if (readMessages && readMessages !== window?.messages) {
    client.setQueryData(windowKey, { messages: readMessages })
  }
  if (!thread) invalidateQueries(client, { queryKey: threadKey })
  if (readerId === me && applyOwnRead(client, me, otherUserId, lastReadSeq)) {
    setCachedCount(client, messageKeys.unread, { count: unreadTotal })
  }
}

/**
 * Records that the user read a thread, in this tab or elsewhere, and updates the conversation list. Returns false if
 * this was already known: the unread total in the event or response is then outdated or already applied.
 */
export function applyOwnRead(
  client: QueryClient,
  me: string,
  otherUserId: string,
  lastReadSeq: number,
): boolean {
  const recorded = recordRead(getReadMarks(me), otherUserId, lastReadSeq)
  readMarks.marks = recorded.marks
  if (!recorded.isNew) return false
  const cachedList = client.getQueryData<ConversationList>(messageKeys.conversations)
  if (!recorded.complete || !cachedList) {
    invalidateQueries(client, { queryKey: messageKeys.conversations })
    return true
  }
  updateConversationLists(client, (list) => applyReadToList(list, { otherUserId, readerId: me }))
  return true
}

/** Refetches the conversations and their details, the threads, the unread count and the mass messages. */
export function invalidateMessages(client: QueryClient): void {
  const { conversations, allDetails, threads, unread, massMessages } = messageKeys
  for (const queryKey of [conversations, allDetails, threads, unread, massMessages])
    invalidateQueries(client, { queryKey })
}

/**
 * The newest message and the user's newest read position that this page knows of, keyed by the other user's id.
 * The unread total in an event is applied only if the event is new, not if it is repeated or late.
 */
export type ReadMarks = Readonly<Record<string, { seq: number; readSeq: number }>>

let readMarks: { userId: string; marks: ReadMarks } = { userId: '', marks: {} }

/** Returns the user's read marks; drops those of a previously signed-in user. */
function getReadMarks(me: string): ReadMarks {
  if (readMarks.userId !== me) readMarks = { userId: me, marks: {} }
  return readMarks.marks
}

const initialMark = { seq: 0, readSeq: 0 }

/**
 * Records that a message was created. `isNew` is false if this message or a later one was recorded before, or was
 * already recorded as read.
 */
export function recordMessage(
  marks: ReadMarks,
  otherUserId: string,
  seq: number,
): { marks: ReadMarks; isNew: boolean } {
  const mark = marks[otherUserId] ?? initialMark
  if (seq <= mark.seq || seq <= mark.readSeq) return { marks, isNew: false }
  return { marks: { ...marks, [otherUserId]: { ...mark, seq } }, isNew: true }
}

/**
 * Records that the user read the thread up to `lastReadSeq`. `isNew` is false if that was recorded before. `complete`
 * is false if a newer message is known, so that the conversation is still unread.
 */
export function recordRead(
  marks: ReadMarks,
  otherUserId: string,
  lastReadSeq: number,
): { marks: ReadMarks; isNew: boolean; complete: boolean } {
  const mark = marks[otherUserId] ?? initialMark
  const complete = mark.seq <= lastReadSeq
  if (lastReadSeq <= mark.readSeq) return { marks, isNew: false, complete }
  return { marks: { ...marks, [otherUserId]: { ...mark, readSeq: lastReadSeq } }, isNew: true, complete }
}
