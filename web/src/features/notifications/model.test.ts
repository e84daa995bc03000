import type { Notification } from '@contract/notification.ts'
import { expect, test } from 'vitest'
import {
  applyNotificationEvent,
  firstPage,
  nothingReceived,
  type ReceivedNotifications,
  setRead,
  unreadIds,
} from './model'

const first = '00000000-0000-4000-8000-000000000001'
const second = '00000000-0000-4000-8000-000000000002'
const created = (heard: ReceivedNotifications, notificationId: string, unreadTotal: number) =>
  applyNotificationEvent(heard, 'notification.created', { notificationId, kind: 'like', unreadTotal })
const read = (heard: ReceivedNotifications, notificationId: string | null, unreadTotal: number) =>
  applyNotificationEvent(heard, 'notification.read', { notificationId, unreadTotal })

test('a new notification sets the count and has the list read again', () => {
  expect(created(nothingReceived, first, 1)).toMatchObject({
    heard: { total: 1, created: [first], read: [] },
    refetch: 'list',
    news: { notificationId: first },
  })
})

test('told again after it was read, it does not come back', () => {
  const { heard } = created(created(nothingReceived, first, 1).heard, second, 2)
  const after = read(heard, null, 0)
  expect(after).toMatchObject({ heard: { total: 0 }, read: 'all' })
  expect(created(after.heard, first, 1)).toEqual({ heard: after.heard, refetch: 'nothing' })
})

test('a reading told twice does not take back what came since', () => {
  const { heard } = read(created(nothingReceived, first, 1).heard, first, 0)
  const later = created(heard, second, 1).heard
  expect(read(later, first, 0)).toEqual({ heard: later, refetch: 'nothing' })
})

test('heard of after its own reading, it counts for nothing and the truth is asked for', () => {
  const { heard } = read(nothingReceived, first, 3)
  const late = created(heard, first, 4)
  expect(late.refetch).toBe('all')
  expect(late.heard.total).toBe(3)
})

test('one reading marks one, and the last one all', () => {
  expect(read(nothingReceived, first, 2).read).toEqual([first])
  expect(read(nothingReceived, null, 2).read).toEqual([])
  expect(read(nothingReceived, first, 0).read).toBe('all')
})

test('what cannot be understood has everything read again, other news is left alone', () => {
  expect(applyNotificationEvent(nothingReceived, 'notification.created', {}).refetch).toBe('all')
  expect(applyNotificationEvent(nothingReceived, 'notification.read', null).refetch).toBe('all')
  expect(applyNotificationEvent(nothingReceived, 'message.created', {}).refetch).toBe('nothing')
})

test('remembers no more than it needs', () => {
  let heard = nothingReceived
  for (let index = 0; index < 150; index += 1) {
    heard = created(heard, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, index).heard
  }
  expect(heard.created).toHaveLength(100)
})

const one = (id: string): Notification => ({
  id,
  kind: 'like',
  title: 'New like',
  message: 'Ada liked your post.',
  isRead: false,
  createdAt: '2026-01-01T00:00:00Z',
  relatedUser: null,
  othersCount: 0,
  href: '/',
})
const data = {
  pages: [
    { items: [one(first)], nextCursor: 'x' },
    { items: [one(second)], nextCursor: null },
  ],
  pageParams: [null, 'x'],
}

test('marks read, on whatever page, and takes that back', () => {
  const after = setRead(data, [second])
  expect(after?.pages.map((page) => page.items[0]?.isRead)).toEqual([false, true])
  expect(setRead(after, [second])).toBe(after)
  expect(unreadIds(after, 'all')).toEqual([first])
  expect(unreadIds(after, [second])).toEqual([])
  expect(setRead(after, [second], false)).toEqual(data)
  expect(unreadIds(setRead(data, 'all'), 'all')).toEqual([])
  expect(setRead(undefined, 'all')).toBeUndefined()
})

test('a list begins again with its first page', () => {
  expect(firstPage(data)).toEqual({ pages: [data.pages[0]], pageParams: [null] })
  const short = firstPage(data)
  expect(firstPage(short)).toBe(short)
})
