import { expect, test, vi } from 'vitest'
import { cancelPageExit, startPageExit } from '@/lib/leave-guard'
import { outboxStore } from './outbox-store'

test('asks before messages in memory are lost, unless the app itself leaves the page', async () => {
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

  // Node has no IndexedDB, so the message stays in memory.
  await outboxStore('user').put('message', {})
  expect(isAsked()).toBe(true)
  startPageExit()
  expect(isAsked()).toBe(false)
  cancelPageExit()
})
