import { i18n } from '@lingui/core'
import { expect, test, vi } from 'vitest'
import {
  ApiError,
  errorMessage,
  inlineErrorMessage,
  isTransient,
  NetworkError,
  serverFieldErrors,
  showFieldErrors,
} from './errors'

test('an ApiError contains the status, the body and the server’s message', () => {
  const text =
    '{"message":"Username is already taken","code":"username_taken","errors":{"username":["taken"]}}'
  const error = new ApiError(409, text)
  expect(error.message).toBe(`409: ${text}`)
  expect(error.code).toBe('username_taken')
  expect(error.errors).toEqual({ username: ['taken'] })
  expect(errorMessage(error, 'fallback')).toBe('Username is already taken')
})

test('uses the fallback message if the body is not JSON', () => {
  const error = new ApiError(502, 'Bad Gateway')
  expect(error.message).toBe('502: Bad Gateway')
  expect(errorMessage(error, 'fallback')).toBe('fallback')
})

test('translates the message, or uses the generic message for the error code or else the fallback', () => {
  const body = (message: string, code: string) => JSON.stringify({ message, code })
  const errors = [
    new ApiError(404, body('Post not found', 'not_found')),
    new ApiError(400, body('The price of this post is now $5.00.', 'amount_mismatch')),
    new ApiError(500, body('No translation', 'internal_error')),
  ]
  i18n.loadAndActivate({ locale: 'es', messages: { 'Post not found': 'Publicación no encontrada' } })
  expect(errors.map((error) => errorMessage(error, 'fallback'))).toEqual([
    'Publicación no encontrada',
    'The price has changed. Reload the page and try again.',
    'fallback',
  ])
  i18n.activate('en')
  expect(errorMessage(errors[1], 'fallback')).toBe('The price of this post is now $5.00.')
})

test('returns no inline text if there is no error or the session has ended', () => {
  const sessionEnded = new ApiError(401, '{"message":"Unauthorized","code":"unauthorized"}')
  const wrongPassword = new ApiError(401, '{"message":"Incorrect password","code":"invalid_credentials"}')
  expect(inlineErrorMessage(null, 'fallback')).toBeNull()
  expect(inlineErrorMessage(sessionEnded, 'fallback')).toBeNull()
  expect(inlineErrorMessage(wrongPassword, 'fallback')).toBe('Incorrect password')
})

test('keeps the message if the code or the field errors are invalid, and ignores bodies without a message', () => {
  const bodies = [
    { message: 'No', code: 'new_code', errors: { name: ['taken'] } },
    { message: 'No' },
    { message: 'No', code: 'conflict', errors: { name: 'taken' } },
    { message: 'No', code: 'conflict', errors: ['taken'] },
  ]
  for (const body of bodies) {
    const { code, serverMessage, errors } = new ApiError(409, JSON.stringify(body))
    expect({ code, serverMessage, errors }).toEqual({
      code: 'internal_error',
      serverMessage: 'No',
      errors: {},
    })
  }
  for (const text of ['null', '[]', '{"message":1,"code":"conflict"}'])
    expect(new ApiError(409, text)).toMatchObject({ code: undefined, serverMessage: '' })
})

test('treats rate limits, server errors and lost connections as transient', () => {
  expect([429, 500, 503].map((status) => isTransient(new ApiError(status, '')))).toEqual([true, true, true])
  expect([400, 401, 403, 404].some((status) => isTransient(new ApiError(status, '')))).toBe(false)
  expect(isTransient(new NetworkError(new TypeError('fetch failed')))).toBe(true)
})

const apiError = (body: object) => new ApiError(400, JSON.stringify(body))

test('assigns the message to the field that the error code is about', () => {
  const error = apiError({ message: 'Username is already taken', code: 'username_taken' })
  expect(serverFieldErrors(error)).toEqual({ username: ['Username is already taken'] })
})

test('shows the errors of the given fields and focuses the first', () => {
  const setError = vi.fn()
  const errors = { 'details.account': ['Invalid.', 'Too short.'], name: ['Missing.'], other: ['Unknown.'] }
  const error = apiError({ message: 'Invalid.', code: 'validation_failed', errors })
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

test('shows no field errors when there was no response', () => {
  const setError = vi.fn()
  showFieldErrors(new NetworkError(new TypeError('fetch failed')), ['name'], setError)
  expect(setError).not.toHaveBeenCalled()
})
