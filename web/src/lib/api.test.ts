import { expect, test } from 'vitest'
import { ApiError, isTransient, messageOf, NetworkError, withQuery } from './api'

test('an error says status and body, and keeps the server’s sentence apart', () => {
  const text =
    '{"message":"Username is already taken","code":"username_taken","errors":{"username":["taken"]}}'
  const error = new ApiError(409, text)
  expect(error.message).toBe(`409: ${text}`)
  expect(error.code).toBe('username_taken')
  expect(error.errors).toEqual({ username: ['taken'] })
  expect(messageOf(error, 'fallback')).toBe('Username is already taken')
})

test('a body that is no JSON leaves the fallback', () => {
  const error = new ApiError(502, 'Bad Gateway')
  expect(error.message).toBe('502: Bad Gateway')
  expect(messageOf(error, 'fallback')).toBe('fallback')
})

test('only what may pass by itself counts as transient', () => {
  expect([429, 500, 503].map((status) => isTransient(new ApiError(status, '')))).toEqual([true, true, true])
  expect([400, 401, 403, 404].some((status) => isTransient(new ApiError(status, '')))).toBe(false)
  expect(isTransient(new NetworkError(new TypeError('fetch failed')))).toBe(true)
})

test('a query leaves out what is undefined and escapes the rest', () => {
  expect(withQuery('/api/posts', { limit: 10, cursor: undefined })).toBe('/api/posts?limit=10')
  expect(withQuery('/api/posts', { cursor: 'a b&c' })).toBe('/api/posts?cursor=a+b%26c')
  expect(withQuery('/api/posts', {})).toBe('/api/posts')
})
