import type { Notification } from '@contract/notification.ts'
import { expect, test } from 'vitest'
import { applyNotificationEvent, type Heard, markRead } from './notifications'

const first = '00000000-0000-4000-8000-000000000001'
const second = '00000000-0000-4000-8000-000000000002'
const nothing: Heard = { total: 0, ids: [] }
const created = (heard: Heard, notificationId: string, unreadTotal: number) =>
  applyNotificationEvent(heard, 'notification.created', { notificationId, unreadTotal })

test('a new notification sets the count and has the list read again', () => {
  expect(created(nothing, first, 1)).toEqual({ heard: { total: 1, ids: [first] }, refetch: 'list' })
})

test('told again after it was read, it does not come back', () => {
  const heard = created(created(nothing, first, 1).heard, second, 2).heard
  const read = applyNotificationEvent(heard, 'notification.read', { unreadTotal: 0 }).heard
  expect(read.total).toBe(0)
  expect(created(read, first, 1)).toEqual({ heard: read, refetch: 'nothing' })
})

test('what cannot be understood has everything read again, other news is left alone', () => {
  expect(applyNotificationEvent(nothing, 'notification.created', {}).refetch).toBe('all')
  expect(applyNotificationEvent(nothing, 'notification.read', null).refetch).toBe('all')
  expect(applyNotificationEvent(nothing, 'message.created', {}).refetch).toBe('nothing')
})

test('remembers no more than it needs', () => {
  let heard = nothing
  for (let index = 0; index < 150; index += 1) {
    heard = created(heard, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, index).heard
  }
  expect(heard.ids).toHaveLength(100)
})

test('marks one notification read, on whatever page it is', () => {
  const one = (id: string): Notification => ({
    id,
    kind: 'like',
    title: 'New like',
    message: 'Ada liked your post.',
    isRead: false,
    createdAt: '2026-01-01T00:00:00Z',
    relatedUser: null,
    href: '/',
  })
  const data = {
    pages: [
      { items: [one(first)], nextCursor: 'x' },
      { items: [one(second)], nextCursor: null },
    ],
    pageParams: [null, 'x'],
  }
  const after = markRead(data, second)
  expect(after?.pages.map((page) => page.items[0]?.isRead)).toEqual([false, true])
  expect(markRead(after, second)).toBe(after)
})
