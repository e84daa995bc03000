import { expect, test } from 'vitest'
import { ada, bea } from './message-fixture'
import { type ReadMarks, recordMessage, recordRead } from './read-marks'

test('each message is news once', () => {
  const first = recordMessage({}, ada, 4)
  expect(first.isNews).toBe(true)
  expect(recordMessage(first.marks, ada, 4).isNews).toBe(false)
  expect(recordMessage(first.marks, ada, 3).isNews).toBe(false)
  expect(recordMessage(first.marks, ada, 5).isNews).toBe(true)
  expect(recordMessage(first.marks, bea, 1).isNews).toBe(true)
})

test('a message that comes after its own reading is no news', () => {
  const { marks } = recordRead({}, ada, 7)
  expect(recordMessage(marks, ada, 7).isNews).toBe(false)
  expect(recordMessage(marks, ada, 8).isNews).toBe(true)
})

test('reading is news once, and incomplete when a newer message is known', () => {
  const marks: ReadMarks = { [ada]: { seq: 9, readSeq: 0 } }
  const partly = recordRead(marks, ada, 8)
  expect(partly).toMatchObject({ isNews: true, complete: false })
  expect(recordRead(partly.marks, ada, 8).isNews).toBe(false)
  expect(recordRead(partly.marks, ada, 9)).toMatchObject({ isNews: true, complete: true })
})
