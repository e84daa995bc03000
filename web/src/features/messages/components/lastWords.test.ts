import { expect, test } from 'vitest'
import { ada, conversation } from '../realtime/testMessages'
import { lastWords } from './lastWords'

const last = (changes: object) =>
  ({ ...conversation(ada, 1).lastMessage, ...changes }) as Parameters<typeof lastWords>[0]

test('says what the last message was', () => {
  expect(lastWords(null)).toBe('No message content')
  expect(lastWords(last({ content: 'hello' }))).toBe('hello')
  expect(lastWords(last({ content: '' }))).toBe('No message content')
  expect(lastWords(last({ content: '', hasImage: true }))).toBe('Photo')
  expect(lastWords(last({ content: 'look', hasImage: true }))).toBe('look')
  expect(lastWords(last({ content: '', deleted: true }))).toBe('Message deleted')
})
