import { expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from './api'
import { serverFieldErrors, showFieldErrors } from './form-errors'

const response = (body: object) => new ApiError(400, JSON.stringify(body))

it('assigns an error code that concerns a single field to that field', () => {
  const error = response({ message: 'Username is already taken', code: 'username_taken' })
  expect(serverFieldErrors(error)).toEqual({ username: ['Username is already taken'] })
})

it('shows the errors of the given fields and focuses the first', () => {
  const setError = vi.fn()
  const errors = { 'details.account': ['Invalid.', 'Too short.'], name: ['Missing.'], other: ['Unknown.'] }
  const error = response({ message: 'Invalid.', code: 'validation_failed', errors })
  showFieldErrors<{ name: string; details: { account: string } }>(
    error,
    ['name', 'details.account'],
    setError,
  )
  expect(setError.mock.calls).toEqual([
    ['name', { type: 'server', message: 'Missing.' }, { shouldFocus: true }],
    ['details.account', { type: 'server', message: 'Invalid.' }, { shouldFocus: false }],
  ])
})

it('shows nothing when there was no response', () => {
  const setError = vi.fn()
  showFieldErrors(new NetworkError(new TypeError('fetch failed')), ['name'], setError)
  expect(setError).not.toHaveBeenCalled()
})
