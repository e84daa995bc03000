import type { ChatMessage } from '@contract/message.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '@/lib/errors'
import { queryClient } from '@/lib/query-client'
import { ada, message, messages } from '../message-fixture'
import { messageKeys } from './keys'
import { openMessageWindow, threadQuery } from './thread'

afterEach(() => {
  vi.unstubAllGlobals()
})

const respondWith = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status }))

it('refetches the details if a refetch of the thread finds a new photo', async () => {
  const detailsKey = messageKeys.details(ada)
  const isRefetchedAfter = async (page: ChatMessage[]) => {
    queryClient.setQueryData(messageKeys.thread(ada), messages(1, 2))
    queryClient.setQueryData(detailsKey, {})
    respondWith(page)
    await queryClient.fetchQuery({ ...threadQuery(ada), staleTime: 0 })
    return queryClient.getQueryState(detailsKey)?.isInvalidated
  }
  const photo = (seq: number) =>
    message(seq, { imageUrl: '/api/media/photo', imageWidth: 40, imageHeight: 30 })
  expect(await isRefetchedAfter([photo(2), message(3)])).toBe(false)
  expect(await isRefetchedAfter([message(2), photo(3), message(4)])).toBe(true)
})

describe('openMessageWindow', () => {
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
})
