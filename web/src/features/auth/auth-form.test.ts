import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '@/lib/api'
import { authErrorText } from './auth-error-text'

const refusal = (seconds?: number) =>
  new ApiError(429, '{"message":"Too many.","code":"rate_limited"}', seconds)

test('says what the server said, and when to try again', () => {
  expect(authErrorText(refusal(), 'Failed')).toBe('Too many.')
  expect(authErrorText(refusal(1), 'Failed')).toBe('Too many. You can try again in 1 second.')
  expect(authErrorText(refusal(61), 'Failed')).toBe('Too many. You can try again in 2 minutes.')
  expect(authErrorText(refusal(3600), 'Failed')).toBe('Too many. You can try again in 1 hour.')
})

test('a server that said nothing leaves the fallback', () => {
  expect(authErrorText(new NetworkError(new TypeError('fetch failed')), 'Failed')).toBe('Failed')
  expect(authErrorText(new ApiError(502, '<html>'), 'Failed')).toBe('Failed')
})
