import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '@/lib/api'
import { failureText } from './failureText'

const refusal = (seconds?: number) =>
  new ApiError(429, '{"message":"Too many.","code":"rate_limited"}', seconds)

test('says what the server said, and when to try again', () => {
  expect(failureText(refusal(), 'Failed')).toBe('Too many.')
  expect(failureText(refusal(1), 'Failed')).toBe('Too many. You can try again in 1 second.')
  expect(failureText(refusal(61), 'Failed')).toBe('Too many. You can try again in 2 minutes.')
  expect(failureText(refusal(3600), 'Failed')).toBe('Too many. You can try again in 1 hour.')
})

test('a server that said nothing leaves the fallback', () => {
  expect(failureText(new NetworkError(new TypeError('fetch failed')), 'Failed')).toBe('Failed')
  expect(failureText(new ApiError(502, '<html>'), 'Failed')).toBe('Failed')
})
