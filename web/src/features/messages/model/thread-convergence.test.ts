import type { ChatMessage } from '@contract/message.ts'
import { expect, test } from 'vitest'
import { ada, message, messages } from '../message-fixture'
import { asDeleted } from './optimistic-edits'
import {
  applyChanges,
  applyMessage,
  type ChangeLog,
  createChangeLog,
  mergeNewest,
  mergeOlder,
  recordChange,
  type Thread,
  toQuote,
  withLoggedChanges,
} from './thread'

/** An event, or a page as it was when it was fetched. */
type Update = { kind: 'created' | 'changed' | 'newest' | 'older'; messages: ChatMessage[] }

/** Simulates a conversation. Returns its events and pages in the server's order, and the server's final thread. */
function simulateConversation(random: () => number): { updates: Update[]; serverThread: ChatMessage[] } {
  let serverThread = messages(1, 6)
  let version = 0
  const updates: Update[] = [{ kind: 'newest', messages: serverThread.slice(-3) }]
  const changeMessage = (index: number, change: (current: ChatMessage) => ChatMessage) => {
    const current = serverThread[index]
    if (!current || current.deleted) return
    version += 1
    const changed = { ...change(current), version }
    serverThread = applyChanges(serverThread, [changed])
    updates.push({ kind: 'changed', messages: [changed] })
  }
  for (let step = 0; step < 12; step += 1) {
    const index = Math.floor(random() * serverThread.length)
    const choice = random()
    if (choice < 0.3) {
      const quoted = serverThread[index]
      const replyTo = quoted && random() < 0.5 ? toQuote(quoted) : null
      const created = message(serverThread.length + 1, { replyTo })
      serverThread = [...serverThread, created]
      updates.push({ kind: 'created', messages: [created] })
    } else if (choice < 0.5) {
      changeMessage(index, (current) => ({
        ...current,
        content: `${current.content}!`,
        editedAt: current.createdAt,
      }))
    } else if (choice < 0.65) changeMessage(index, asDeleted)
    else if (choice < 0.8) {
      changeMessage(index, (current) => ({ ...current, reactions: [{ emoji: '🔥', userId: ada }] }))
    } else if (choice < 0.9) updates.push({ kind: 'newest', messages: serverThread.slice(-4) })
    else updates.push({ kind: 'older', messages: serverThread.slice(0, 3) })
  }
  return { updates, serverThread }
}

/** Applies the updates as the app does. Finally merges the whole thread, as if the app had fetched it after a gap. */
function applyUpdates(updates: Update[], serverThread: ChatMessage[]): Thread {
  let thread: Thread | undefined
  let log: ChangeLog = createChangeLog(0)
  for (const { kind, messages: received } of updates) {
    if (kind === 'changed') {
      for (const changed of received) {
        log = recordChange(log, changed).log
        if (thread) thread = applyChanges(thread, received)
      }
    } else if (kind === 'created') {
      for (const created of withLoggedChanges(log, received)) thread = applyMessage(thread, created).thread
    } else if (kind === 'newest') thread = mergeNewest(thread, received)
    else if (thread) thread = mergeOlder(thread, received)
    if (thread) thread = withLoggedChanges(log, thread)
  }
  return withLoggedChanges(log, mergeOlder(mergeNewest(thread, serverThread.slice(-50)), serverThread))
}

/** Returns a seeded random number generator (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function shuffle<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, position: random() }))
    .sort((a, b) => a.position - b.position)
    .map(({ item }) => item)
}

test("repeated updates in any order produce the server's thread", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = createRandom(seed)
    const { updates, serverThread } = simulateConversation(random)
    const order = shuffle([...updates, ...updates], random)
    expect(applyUpdates(order, serverThread), `seed ${seed}`).toEqual(serverThread)
  }
})

test('no order of updates restores a deleted message', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = createRandom(seed)
    const { updates, serverThread } = simulateConversation(random)
    const deletedIds = new Set(serverThread.filter(({ deleted }) => deleted).map(({ id }) => id))
    const changes = updates.filter(({ kind }) => kind === 'changed')
    const lateUpdates = shuffle(
      updates.filter(({ kind }) => kind !== 'changed'),
      random,
    )
    // All changes, including the deletions, arrive before the other events and before pages requested earlier.
    const thread = applyUpdates(
      [{ kind: 'newest', messages: serverThread.slice(-2) }, ...changes, ...lateUpdates],
      [],
    )
    for (const { id, content } of thread) if (deletedIds.has(id)) expect(content, `seed ${seed}`).toBe('')
  }
})
