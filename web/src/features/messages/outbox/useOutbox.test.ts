import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '@/lib/errors'
import { sendErrorText } from './useOutbox'

const errorOf = (status: number, body: object) => new ApiError(status, JSON.stringify(body))

test('says that the recipient does not exist, even if the id is invalid', () => {
  const message = 'Recipient not found'
  const errors = { receiverId: [message] }
  expect(sendErrorText(errorOf(404, { message, code: 'recipient_not_found' }))).toBe('User not found.')
  expect(sendErrorText(errorOf(400, { message, code: 'validation_failed', errors }))).toBe('User not found.')
})

test('gives the reason if direct messages are disabled, and a generic message otherwise', () => {
  const disabled = errorOf(403, {
    message: 'This user has disabled direct messages',
    code: 'direct_messages_disabled',
  })
  const invalid = errorOf(400, { message: 'Please write a message.', code: 'validation_failed' })
  expect(sendErrorText(disabled)).toBe('This user has disabled direct messages in their privacy settings.')
  expect(sendErrorText(invalid)).toBe('Failed to send message. Please try again.')
  expect(sendErrorText(new NetworkError(new TypeError('fetch failed')))).toBe(
    'Failed to send message. Please try again.',
  )
})
