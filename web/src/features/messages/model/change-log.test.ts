import type { ChatMessage } from '@contract/message.ts'
import { describe, expect, test } from 'vitest'
import { ada, me, message, messages } from '../message-fixture'
import { asDeleted } from './apply-optimistic-edit'
import {
  type ChangeLog,
  completeChanges,
  createChangeLog,
  recordChange,
  withLoggedChanges,
} from './change-log'
import {
  applyChanges,
  applyMessage,
  mergeNewest,
  mergeOlder,
  newerVersion,
  type Thread,
  toQuote,
} from './thread'

const edited = (seq: number, version: number, changes: Partial<ChatMessage> = {}) =>
  message(seq, {
    version,
    content: `message ${seq}, change ${version}`,
    editedAt: '2026-01-01T13:00:00Z',
    ...changes,
  })
const deleted = (seq: number, version: number) => asDeleted(message(seq, { version }))

describe('the numbers of changes', () => {
  const note = (versions: number[], from = createChangeLog(4)) => {
    let changes = from
    const missed: number[] = []
    for (const version of versions) {
      const noted = recordChange(changes, edited(1, version))
      changes = noted.changes
      if (noted.missed) missed.push(version)
    }
    return { upTo: changes.upTo, early: changes.early, missed }
  }

  test.each([
    [[5, 6, 7], { upTo: 7, early: [], missed: [] }],
    [[5, 5, 4, 1], { upTo: 5, early: [], missed: [] }],
    // One hole is asked for once, and a late event closes it.
    [[7, 8, 9], { upTo: 4, early: [7, 8, 9], missed: [7] }],
    [[6, 5], { upTo: 6, early: [], missed: [6] }],
    [[7, 9, 5, 6], { upTo: 7, early: [9], missed: [7, 9] }],
  ])('%j', (versions, after) => {
    expect(note(versions)).toEqual(after)
  })

  test('what the server told closes every hole below', () => {
    const heard = recordChange(createChangeLog(4), edited(1, 8)).changes
    expect(completeChanges(heard, [edited(2, 7)], 7)).toMatchObject({ upTo: 8, early: [] })
    expect(completeChanges(heard, [], 4)).toMatchObject({ upTo: 4, early: [8] })
  })
})

describe('of two states of a message', () => {
  test.each([
    ['the higher version stays', edited(1, 3), edited(1, 2), edited(1, 3)],
    ['deleted stays, though its version is not known yet', deleted(1, 1), edited(1, 2), deleted(1, 2)],
    ['seen stays', message(1, { isRead: true }), edited(1, 2), edited(1, 2, { isRead: true })],
  ])('%s', (_, one, other, after) => {
    expect(newerVersion(one, other)).toEqual(after)
    expect(newerVersion(other, one)).toEqual(after)
  })

  test('nothing new leaves the very same', () => {
    const held = messages(1, 3)
    expect(applyChanges(held, [message(2), edited(9, 1)])).toBe(held)
  })
})

describe('quotes', () => {
  const answer = message(5, { senderId: me, replyTo: toQuote(message(2)) })

  test('follow what becomes of the message, held or not', () => {
    for (const held of [
      [...messages(1, 4), answer],
      [message(4), answer],
    ]) {
      expect(applyChanges(held, [edited(2, 1)]).at(-1)?.replyTo?.content).toBe('message 2, change 1')
      expect(applyChanges(held, [deleted(2, 2)]).at(-1)?.replyTo).toMatchObject({
        content: '',
        deleted: true,
      })
    }
  })

  test('are cut as the database cuts them', () => {
    expect([...toQuote(message(1, { content: '👍'.repeat(300) })).content]).toHaveLength(200)
  })

  test('of a page that was on its way show what is known', () => {
    const changes = recordChange(createChangeLog(0), deleted(2, 1)).changes
    expect(withLoggedChanges(changes, [message(4), answer]).at(-1)?.replyTo?.deleted).toBe(true)
  })
})

/** What a page can be told, in the order in which it happened on the server. */
type News = { kind: 'created' | 'changed' | 'newest' | 'older'; messages: ChatMessage[] }

/** A conversation that grows and changes, and all that is told of it: each event, and pages as they were read then. */
function story(random: () => number): { news: News[]; now: ChatMessage[] } {
  let now = messages(1, 6)
  let version = 0
  const news: News[] = [{ kind: 'newest', messages: now.slice(-3) }]
  const change = (at: number, to: (one: ChatMessage) => ChatMessage) => {
    const one = now[at]
    if (!one || one.deleted) return
    version += 1
    const after = { ...to(one), version }
    now = applyChanges(now, [after])
    news.push({ kind: 'changed', messages: [after] })
  }
  for (let step = 0; step < 12; step += 1) {
    const at = Math.floor(random() * now.length)
    const dice = random()
    if (dice < 0.3) {
      const quoted = now[at]
      const next = message(now.length + 1, { replyTo: quoted && random() < 0.5 ? toQuote(quoted) : null })
      now = [...now, next]
      news.push({ kind: 'created', messages: [next] })
    } else if (dice < 0.5)
      change(at, (one) => ({ ...one, content: `${one.content}!`, editedAt: one.createdAt }))
    else if (dice < 0.65) change(at, asDeleted)
    else if (dice < 0.8) change(at, (one) => ({ ...one, reactions: [{ emoji: '🔥', userId: ada }] }))
    else if (dice < 0.9) news.push({ kind: 'newest', messages: now.slice(-4) })
    else news.push({ kind: 'older', messages: now.slice(0, 3) })
  }
  return { news, now }
}

/** Takes in news as the page does, whatever their order; at last what a page does after each gap. */
function tell(news: News[], now: ChatMessage[]): Thread {
  let thread: Thread | undefined
  let changes: ChangeLog = createChangeLog(0)
  for (const { kind, messages: told } of news) {
    if (kind === 'changed') {
      for (const one of told) {
        changes = recordChange(changes, one).changes
        if (thread) thread = applyChanges(thread, told)
      }
    } else if (kind === 'created') {
      for (const one of withLoggedChanges(changes, told)) thread = applyMessage(thread, one).thread
    } else if (kind === 'newest') thread = mergeNewest(thread, told)
    else if (thread) thread = mergeOlder(thread, told)
    if (thread) thread = withLoggedChanges(changes, thread)
  }
  return withLoggedChanges(changes, mergeOlder(mergeNewest(thread, now.slice(-50)), now))
}

/** The same numbers each time (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

test('told in whatever order, twice, with old pages in between, a thread ends as the server has it', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = numbers(seed)
    const { news, now } = story(random)
    const order = shuffled([...news, ...news], random)
    expect(tell(order, now), `story ${seed}`).toEqual(now)
  }
})

test('in no order does a message come back that was deleted', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = numbers(seed)
    const { news, now } = story(random)
    const gone = new Set(now.filter((one) => one.deleted).map((one) => one.id))
    const late = shuffled(
      news.filter((one) => one.kind !== 'changed'),
      random,
    )
    // Everything that deletes is heard first, all else comes late.
    const thread = tell(
      [{ kind: 'newest', messages: now.slice(-2) }, ...news.filter((one) => one.kind === 'changed'), ...late],
      [],
    )
    for (const one of thread) if (gone.has(one.id)) expect(one.content, `story ${seed}`).toBe('')
  }
})
