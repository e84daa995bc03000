import type { ChatMessage } from '@contract/message.ts'
import { describe, expect, test } from 'vitest'
import { ada, me, message, messages } from '../message-fixture'
import { asDeleted } from './optimistic-edits'
import {
  applyChanges,
  applyMessage,
  applyRead,
  completeChanges,
  createChangeLog,
  hasOlder,
  isEndOfThread,
  mergeIntoWindow,
  mergeNewest,
  mergeOlder,
  newerVersion,
  recordChange,
  type Thread,
  type ThreadWindow,
  toQuote,
  touchesThread,
  withLoggedChanges,
} from './thread'

const seqs = (thread: Thread | undefined) => thread?.map(({ seq }) => seq)
const edited = (seq: number, version: number, changes: Partial<ChatMessage> = {}) =>
  message(seq, {
    version,
    content: `message ${seq}, change ${version}`,
    editedAt: '2026-01-01T13:00:00Z',
    ...changes,
  })
const deleted = (seq: number, version: number) => asDeleted(message(seq, { version }))

describe('applyMessage', () => {
  test('appends a new message', () => {
    const { thread, gap } = applyMessage(messages(1, 3), message(4))
    expect(seqs(thread)).toEqual([1, 2, 3, 4])
    expect(gap).toBe(false)
  })

  test('adds a repeated message once', () => {
    let thread: Thread | undefined = messages(1, 3)
    for (let times = 0; times < 3; times += 1) thread = applyMessage(thread, message(4)).thread
    expect(seqs(thread)).toEqual([1, 2, 3, 4])
  })

  test('reports a gap, which a late message closes', () => {
    const withGap = applyMessage(messages(1, 3), message(5))
    expect(withGap.gap).toBe(true)
    const complete = applyMessage(withGap.thread, message(4))
    expect(complete.gap).toBe(false)
    expect(seqs(complete.thread)).toEqual([1, 2, 3, 4, 5])
  })

  test('adds a message to an empty thread, and reports a gap if earlier messages are missing', () => {
    expect(applyMessage([], message(1))).toEqual({ thread: [message(1)], gap: false })
    expect(applyMessage([], message(2)).gap).toBe(true)
  })

  test('ignores a message older than the loaded ones', () => {
    const loaded = messages(10, 12)
    expect(applyMessage(loaded, message(3)).thread).toEqual(loaded)
  })

  test('ignores a message of a thread that is not loaded', () => {
    expect(applyMessage(undefined, message(1))).toEqual({ thread: undefined, gap: false })
  })

  test('keeps a message marked as read', () => {
    const read = [message(1, { isRead: true })]
    expect(applyMessage(read, message(1, { isRead: false })).thread).toEqual(read)
  })
})

describe('mergeNewest and mergeOlder', () => {
  test('keep messages that arrived while the newest page was fetched', () => {
    expect(seqs(mergeNewest(messages(1, 6), messages(1, 5)))).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('replace messages that the newest page does not connect to', () => {
    expect(seqs(mergeNewest(messages(1, 5), messages(60, 62)))).toEqual([60, 61, 62])
    expect(seqs(mergeNewest(messages(1, 5), messages(6, 8)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('drop messages before a gap that the newest page does not close', () => {
    const withGap = applyMessage(messages(1, 15), message(120)).thread
    const merged = mergeNewest(withGap, messages(71, 120))
    expect([merged[0]?.seq, merged.length]).toEqual([71, 50])
    expect(seqs(mergeNewest([...messages(1, 5), message(9)], messages(4, 7)))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 9,
    ])
  })

  test('drop an older page that does not connect to the thread', () => {
    expect(seqs(mergeOlder(messages(71, 73), messages(1, 15)))).toEqual([71, 72, 73])
  })

  test('apply read marks of the newest page', () => {
    const page = [message(1, { senderId: me, isRead: true })]
    expect(mergeNewest([message(1, { senderId: me })], page)).toEqual(page)
  })

  test('prepend an older page without duplicates', () => {
    const thread = mergeOlder(messages(51, 52), messages(49, 51))
    expect(seqs(thread)).toEqual([49, 50, 51, 52])
    expect(hasOlder(thread)).toBe(true)
    expect(hasOlder(messages(1, 2))).toBe(false)
    expect(hasOlder([])).toBe(false)
  })
})

describe('applyRead', () => {
  const thread = [message(1, { senderId: me }), message(2), message(3, { senderId: me })]
  const isRead = (result: Thread | undefined) => result?.map((item) => item.isRead)

  test("marks the user's messages as read up to a position", () => {
    expect(isRead(applyRead(thread, ada, 2))).toEqual([true, false, false])
  })

  test('marks received messages as read', () => {
    expect(isRead(applyRead(thread, me, 3))).toEqual([false, true, false])
  })

  test('ignores a late event with an older position', () => {
    expect(isRead(applyRead(applyRead(thread, ada, 3), ada, 1))).toEqual([true, false, true])
  })

  test('returns the same array if nothing changes', () => {
    expect(applyRead(thread, ada, 0)).toBe(thread)
  })
})

describe('newerVersion', () => {
  test.each([
    ['returns the higher version', edited(1, 3), edited(1, 2), edited(1, 3)],
    [
      'keeps a deleted message deleted even if an edit has a higher version',
      deleted(1, 1),
      edited(1, 2),
      deleted(1, 2),
    ],
    [
      'keeps a message marked as read',
      message(1, { isRead: true }),
      edited(1, 2),
      edited(1, 2, { isRead: true }),
    ],
  ])('%s', (_, first, second, expected) => {
    expect(newerVersion(first, second)).toEqual(expected)
    expect(newerVersion(second, first)).toEqual(expected)
  })
})

describe('applyChanges', () => {
  const reply = message(5, { senderId: me, replyTo: toQuote(message(2)) })

  test('returns the same array if nothing changes', () => {
    const loaded = messages(1, 3)
    expect(applyChanges(loaded, [message(2), edited(9, 1)])).toBe(loaded)
  })

  test('updates quotes, whether or not the quoted message is loaded', () => {
    for (const thread of [
      [...messages(1, 4), reply],
      [message(4), reply],
    ]) {
      expect(applyChanges(thread, [edited(2, 1)]).at(-1)?.replyTo?.content).toBe('message 2, change 1')
      expect(applyChanges(thread, [deleted(2, 2)]).at(-1)?.replyTo).toMatchObject({
        content: '',
        deleted: true,
      })
    }
  })

  test('updates the quotes of a page that was fetched before the change', () => {
    const { log } = recordChange(createChangeLog(0), deleted(2, 1))
    expect(withLoggedChanges(log, [message(4), reply]).at(-1)?.replyTo?.deleted).toBe(true)
  })
})

test('toQuote says that a locked photo is an image', () => {
  const paidPhoto = { price: 5, unlocked: false }
  expect(toQuote(message(1, { content: '', imageWidth: 4, imageHeight: 3, paidPhoto })).hasImage).toBe(true)
})

test('toQuote counts code points to shorten the text, as the database does', () => {
  expect([...toQuote(message(1, { content: '👍'.repeat(300) })).content]).toHaveLength(200)
})

describe('the change log', () => {
  const record = (versions: number[]) => {
    let log = createChangeLog(4)
    const missed: number[] = []
    for (const version of versions) {
      const recorded = recordChange(log, edited(1, version))
      log = recorded.log
      if (recorded.missed) missed.push(version)
    }
    return { upTo: log.upTo, early: log.early, missed }
  }

  test.each([
    [[5, 6, 7], { upTo: 7, early: [], missed: [] }],
    [[5, 5, 4, 1], { upTo: 5, early: [], missed: [] }],
    // A gap is reported once, and a late event closes it.
    [[7, 8, 9], { upTo: 4, early: [7, 8, 9], missed: [7] }],
    [[6, 5], { upTo: 6, early: [], missed: [6] }],
    [[7, 9, 5, 6], { upTo: 7, early: [9], missed: [7, 9] }],
  ])('records the versions %j', (versions, expected) => {
    expect(record(versions)).toEqual(expected)
  })

  test('closes every gap that a response covers', () => {
    const { log } = recordChange(createChangeLog(4), edited(1, 8))
    expect(completeChanges(log, [edited(2, 7)], 7)).toMatchObject({ upTo: 8, early: [] })
    expect(completeChanges(log, [], 4)).toMatchObject({ upTo: 4, early: [8] })
  })
})

describe('a window of older messages', () => {
  const windowSeqs = (window: ThreadWindow) => seqs(window.messages)

  test('touches the live thread only if there is no gap between them', () => {
    const window = { messages: messages(10, 20) }
    expect(touchesThread(window, messages(21, 30))).toBe(true)
    expect(touchesThread(window, messages(15, 30))).toBe(true)
    expect(touchesThread(window, messages(22, 30))).toBe(false)
    // A cached thread that missed events can end before the window.
    expect(touchesThread(window, messages(1, 8))).toBe(false)
    expect(touchesThread(window, [])).toBe(false)
  })

  test('grows on both sides by pages that adjoin it', () => {
    const window = { messages: messages(10, 12) }
    expect(windowSeqs(mergeIntoWindow(window, messages(8, 9)))).toEqual([8, 9, 10, 11, 12])
    expect(windowSeqs(mergeIntoWindow(window, messages(12, 14)))).toEqual([10, 11, 12, 13, 14])
    expect(mergeIntoWindow(window, messages(14, 15))).toBe(window)
    expect(mergeIntoWindow(window, [])).toBe(window)
  })

  test('ends with a page that is not full', () => {
    expect(isEndOfThread(messages(1, 49))).toBe(true)
    expect(isEndOfThread(messages(1, 50))).toBe(false)
  })
})
