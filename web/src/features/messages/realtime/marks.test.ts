import { expect, test } from 'vitest'
import { type Marks, noteMessage, noteRead } from './marks'
import { ada, bea } from './testMessages'

test('each message is news once', () => {
  const first = noteMessage({}, ada, 4)
  expect(first.isNews).toBe(true)
  expect(noteMessage(first.marks, ada, 4).isNews).toBe(false)
  expect(noteMessage(first.marks, ada, 3).isNews).toBe(false)
  expect(noteMessage(first.marks, ada, 5).isNews).toBe(true)
  expect(noteMessage(first.marks, bea, 1).isNews).toBe(true)
})

test('a message that comes after its own reading is no news', () => {
  const { marks } = noteRead({}, ada, 7)
  expect(noteMessage(marks, ada, 7).isNews).toBe(false)
  expect(noteMessage(marks, ada, 8).isNews).toBe(true)
})

test('reading is news once, and incomplete when a newer message is known', () => {
  const marks: Marks = { [ada]: { seq: 9, readSeq: 0 } }
  const partly = noteRead(marks, ada, 8)
  expect(partly).toMatchObject({ isNews: true, complete: false })
  expect(noteRead(partly.marks, ada, 8).isNews).toBe(false)
  expect(noteRead(partly.marks, ada, 9)).toMatchObject({ isNews: true, complete: true })
})
