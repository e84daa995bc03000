import { expect, test } from 'vitest'
import { messages } from '../message-fixture'
import { growWindow, isEndOfThread, touchesThread } from './thread-window'

const seqs = (window: { messages: { seq: number }[] }) => window.messages.map((one) => one.seq)

test('a stretch and the live thread become one only where they touch', () => {
  const stretch = { messages: messages(10, 20) }
  expect(touchesThread(stretch, messages(21, 30))).toBe(true)
  expect(touchesThread(stretch, messages(15, 30))).toBe(true)
  expect(touchesThread(stretch, messages(22, 30))).toBe(false)
  // A thread that has not heard of anything for long lies before it.
  expect(touchesThread(stretch, messages(1, 8))).toBe(false)
  expect(touchesThread(stretch, [])).toBe(false)
})

test('a stretch grows on both sides, by what borders on it', () => {
  const stretch = { messages: messages(10, 12) }
  expect(seqs(growWindow(stretch, messages(8, 9)))).toEqual([8, 9, 10, 11, 12])
  expect(seqs(growWindow(stretch, messages(12, 14)))).toEqual([10, 11, 12, 13, 14])
  expect(growWindow(stretch, messages(14, 15))).toBe(stretch)
  expect(growWindow(stretch, [])).toBe(stretch)
})

test('a page that is not full is the last', () => {
  expect(isEndOfThread(messages(1, 49))).toBe(true)
  expect(isEndOfThread(messages(1, 50))).toBe(false)
})
