import { expect, test } from 'vitest'
import { ada, conversation } from '../message-fixture'
import { lastMessagePreview } from './last-message-preview'

const last = (changes: object) =>
  ({ ...conversation(ada, 1).lastMessage, ...changes }) as Parameters<typeof lastMessagePreview>[0]

test('says what the last message was', () => {
  expect(lastMessagePreview(null)).toBe('No message content')
  expect(lastMessagePreview(last({ content: 'hello' }))).toBe('hello')
  expect(lastMessagePreview(last({ content: '' }))).toBe('No message content')
  expect(lastMessagePreview(last({ content: '', hasImage: true }))).toBe('Photo')
  expect(lastMessagePreview(last({ content: 'look', hasImage: true }))).toBe('look')
  expect(lastMessagePreview(last({ content: '', deleted: true }))).toBe('Message deleted')
})
