import { afterEach, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '@/lib/errors'
import { ada, message } from '../message-fixture'
import { openMessageWindow } from './thread'

afterEach(() => {
  vi.unstubAllGlobals()
})

const respondWith = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status }))

it('returns whether the conversation contains the message', async () => {
  respondWith([message(1)])
  expect(await openMessageWindow(ada, message(1).id)).toBe(true)
  respondWith([])
  expect(await openMessageWindow(ada, message(1).id)).toBe(false)
})

it('returns false for a malformed id and for a conversation that does not exist', async () => {
  for (const status of [400, 404]) {
    respondWith({ message: 'Rejected', code: 'not_found' }, status)
    expect(await openMessageWindow(ada, 'x')).toBe(false)
  }
})

it('throws if the request fails for another reason', async () => {
  respondWith({ message: 'Forbidden', code: 'forbidden' }, 403)
  await expect(openMessageWindow(ada, message(1).id)).rejects.toBeInstanceOf(ApiError)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(openMessageWindow(ada, message(1).id)).rejects.toBeInstanceOf(NetworkError)
})
