import { describe, expect, it } from 'vitest'
import { ApiError, NetworkError } from '@/lib/errors'
import { authErrorText } from './form-submission'

const rateLimitError = (retryAfterSeconds?: number) =>
  new ApiError(429, '{"message":"Too many.","code":"rate_limited"}', retryAfterSeconds)

describe('authErrorText', () => {
  it("returns the server's message and the time to wait", () => {
    expect(authErrorText(rateLimitError(), 'Failed')).toBe('Too many.')
    expect(authErrorText(rateLimitError(1), 'Failed')).toBe('Too many. You can try again in 1 second.')
    expect(authErrorText(rateLimitError(61), 'Failed')).toBe('Too many. You can try again in 2 minutes.')
    expect(authErrorText(rateLimitError(3600), 'Failed')).toBe('Too many. You can try again in 1 hour.')
  })

  it('returns the fallback when the server sent no message', () => {
    expect(authErrorText(new NetworkError(new TypeError('fetch failed')), 'Failed')).toBe('Failed')
    expect(authErrorText(new ApiError(502, '<html>'), 'Failed')).toBe('Failed')
  })
})
