import { expect, test } from 'vitest'
import { ada, conversation } from '../message-fixture'
import { lastMessagePreview } from './ConversationRow'

const lastMessage = (changes: object) =>
  ({ ...conversation(ada, 1).lastMessage, ...changes }) as Parameters<typeof lastMessagePreview>[0]

test('lastMessagePreview describes the last message', () => {
  expect(lastMessagePreview(null)).toBe('No message content')
  expect(lastMessagePreview(lastMessage({ content: 'hello' }))).toBe('hello')
  expect(lastMessagePreview(lastMessage({ content: '' }))).toBe('No message content')
  expect(lastMessagePreview(lastMessage({ content: '', hasImage: true }))).toBe('Photo')
  expect(lastMessagePreview(lastMessage({ content: 'look', hasImage: true }))).toBe('look')
  const locked = { content: '', hasImage: true, isLocked: true }
  expect(lastMessagePreview(lastMessage(locked))).toBe('Locked photo')
  expect(lastMessagePreview(lastMessage({ content: '', voiceSeconds: 72 }))).toBe('Voice message (1:12)')
  expect(lastMessagePreview(lastMessage({ content: '', deleted: true }))).toBe('Message deleted')
})
