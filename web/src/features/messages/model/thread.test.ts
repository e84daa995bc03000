import { describe, expect, test } from 'vitest'
import { ada, me, message, messages } from '../message-fixture'
import { applyMessage, applyRead, hasOlder, mergeNewest, mergeOlder, type Thread } from './thread'

const seqs = (thread: Thread | undefined) => thread?.map((one) => one.seq)

describe('a message that is pushed', () => {
  test('is appended', () => {
    const { thread, gap } = applyMessage(messages(1, 3), message(4))
    expect(seqs(thread)).toEqual([1, 2, 3, 4])
    expect(gap).toBe(false)
  })

  test('is stored once however often it is told', () => {
    let thread: Thread | undefined = messages(1, 3)
    for (let times = 0; times < 3; times += 1) thread = applyMessage(thread, message(4)).thread
    expect(seqs(thread)).toEqual([1, 2, 3, 4])
  })

  test('shows a gap when one before it is missing, and closes it when that comes late', () => {
    const early = applyMessage(messages(1, 3), message(5))
    expect(early.gap).toBe(true)
    const late = applyMessage(early.thread, message(4))
    expect(late.gap).toBe(false)
    expect(seqs(late.thread)).toEqual([1, 2, 3, 4, 5])
  })

  test('opens an empty thread, and asks for what came before it', () => {
    expect(applyMessage([], message(1))).toEqual({ thread: [message(1)], gap: false })
    expect(applyMessage([], message(2)).gap).toBe(true)
  })

  test('is ignored when it lies before what is held: no hole, no resurrection', () => {
    const held = messages(10, 12)
    expect(applyMessage(held, message(3)).thread).toEqual(held)
  })

  test('waits for the first reading of a thread that is not open', () => {
    expect(applyMessage(undefined, message(1))).toEqual({ thread: undefined, gap: false })
  })

  test('does not unsee what was seen', () => {
    const seen = [message(1, { isRead: true })]
    expect(applyMessage(seen, message(1, { isRead: false })).thread).toEqual(seen)
  })
})

describe('pages', () => {
  test('a newest page that was on its way keeps what arrived meanwhile', () => {
    expect(seqs(mergeNewest(messages(1, 6), messages(1, 5)))).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('a newest page out of reach of the old ones replaces them', () => {
    expect(seqs(mergeNewest(messages(1, 5), messages(60, 62)))).toEqual([60, 61, 62])
    expect(seqs(mergeNewest(messages(1, 5), messages(6, 8)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('a hole between what was held and what was pushed does not outlast the newest page', () => {
    const torn = applyMessage(messages(1, 15), message(120)).thread
    const whole = mergeNewest(torn, messages(71, 120))
    expect([whole[0]?.seq, whole.length]).toEqual([71, 50])
    expect(seqs(mergeNewest([...messages(1, 5), message(9)], messages(4, 7)))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 9,
    ])
  })

  test('an older page that no longer borders on what is held is left out', () => {
    expect(seqs(mergeOlder(messages(71, 73), messages(1, 15)))).toEqual([71, 72, 73])
  })

  test('a newest page brings the seen marks that were missed', () => {
    const fresh = [message(1, { senderId: me, isRead: true })]
    expect(mergeNewest([message(1, { senderId: me })], fresh)).toEqual(fresh)
  })

  test('an older page goes before, once', () => {
    const thread = mergeOlder(messages(51, 52), messages(49, 51))
    expect(seqs(thread)).toEqual([49, 50, 51, 52])
    expect(hasOlder(thread)).toBe(true)
    expect(hasOlder(messages(1, 2))).toBe(false)
    expect(hasOlder([])).toBe(false)
  })
})

describe('reading', () => {
  const thread = [message(1, { senderId: me }), message(2), message(3, { senderId: me })]

  test('the other person saw my messages up to a point', () => {
    const after = applyRead(thread, ada, 2)
    expect(after?.map((one) => one.isRead)).toEqual([true, false, false])
  })

  test('I saw theirs on another page', () => {
    expect(applyRead(thread, me, 3)?.map((one) => one.isRead)).toEqual([false, true, false])
  })

  test('an older mark that comes late takes nothing back', () => {
    const after = applyRead(applyRead(thread, ada, 3), ada, 1)
    expect(after?.map((one) => one.isRead)).toEqual([true, false, true])
  })

  test('no news leaves the very same array', () => {
    expect(applyRead(thread, ada, 0)).toBe(thread)
  })
})
