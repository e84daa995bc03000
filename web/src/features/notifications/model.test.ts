import { describe, expect, it } from 'vitest'
import {
  applyNotificationEvent,
  firstPage,
  nothingReceived,
  type ReceivedNotifications,
  setRead,
  unreadIds,
} from './model'
import { notification } from './notification-fixture'

const firstId = '00000000-0000-4000-8000-000000000001'
const secondId = '00000000-0000-4000-8000-000000000002'

describe('applyNotificationEvent', () => {
  const applyCreated = (received: ReceivedNotifications, notificationId: string, unreadTotal: number) =>
    applyNotificationEvent(received, 'notification.created', { notificationId, kind: 'like', unreadTotal })
  const applyRead = (received: ReceivedNotifications, notificationId: string | null, unreadTotal: number) =>
    applyNotificationEvent(received, 'notification.read', { notificationId, unreadTotal })

  it('sets the unread total and refetches the list for a new notification', () => {
    expect(applyCreated(nothingReceived, firstId, 1)).toMatchObject({
      received: { unreadTotal: 1, created: [firstId], read: [] },
      refetch: 'list',
      created: { notificationId: firstId },
    })
  })

  it('accepts a kind from a later version of the API', () => {
    const payload = { notificationId: firstId, kind: 'eclipse', unreadTotal: 1 }
    expect(applyNotificationEvent(nothingReceived, 'notification.created', payload)).toMatchObject({
      refetch: 'list',
      created: { kind: 'eclipse' },
    })
  })

  it('ignores a repeated `created` event after the notification was read', () => {
    const { received } = applyCreated(applyCreated(nothingReceived, firstId, 1).received, secondId, 2)
    const afterRead = applyRead(received, null, 0)
    expect(afterRead).toMatchObject({ received: { unreadTotal: 0 }, read: 'all' })
    expect(applyCreated(afterRead.received, firstId, 1)).toEqual({
      received: afterRead.received,
      refetch: 'nothing',
    })
  })

  it('ignores a repeated `read` event after a newer notification', () => {
    const { received } = applyRead(applyCreated(nothingReceived, firstId, 1).received, firstId, 0)
    const afterCreated = applyCreated(received, secondId, 1).received
    expect(applyRead(afterCreated, firstId, 0)).toEqual({ received: afterCreated, refetch: 'nothing' })
  })

  it('refetches everything when a `created` event arrives after the `read` event', () => {
    const { received } = applyRead(nothingReceived, firstId, 3)
    const late = applyCreated(received, firstId, 4)
    expect(late.refetch).toBe('all')
    expect(late.received.unreadTotal).toBe(3)
  })

  it('marks one notification as read, or all if the unread total is 0', () => {
    expect(applyRead(nothingReceived, firstId, 2).read).toEqual([firstId])
    expect(applyRead(nothingReceived, null, 2).read).toEqual([])
    expect(applyRead(nothingReceived, firstId, 0).read).toBe('all')
  })

  it('refetches everything for an invalid payload and ignores other events', () => {
    expect(applyNotificationEvent(nothingReceived, 'notification.created', {}).refetch).toBe('all')
    expect(applyNotificationEvent(nothingReceived, 'notification.read', null).refetch).toBe('all')
    expect(applyNotificationEvent(nothingReceived, 'message.created', {}).refetch).toBe('nothing')
  })

  it('stores at most 100 ids', () => {
    let received = nothingReceived
    for (let index = 0; index < 150; index += 1) {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      received = applyCreated(received, id, index).received
    }
    expect(received.created).toHaveLength(100)
  })
})

const data = {
  pages: [
    { items: [notification(firstId)], nextCursor: 'x' },
    { items: [notification(secondId)], nextCursor: null },
  ],
  pageParams: [null, 'x'],
}

describe('setRead', () => {
  it('marks notifications as read on any page, and as unread again', () => {
    const afterRead = setRead(data, [secondId])
    expect(afterRead?.pages.map((page) => page.items[0]?.isRead)).toEqual([false, true])
    expect(setRead(afterRead, [secondId])).toBe(afterRead)
    expect(unreadIds(afterRead, 'all')).toEqual([firstId])
    expect(unreadIds(afterRead, [secondId])).toEqual([])
    expect(setRead(afterRead, [secondId], false)).toEqual(data)
    expect(unreadIds(setRead(data, 'all'), 'all')).toEqual([])
    expect(setRead(undefined, 'all')).toBeUndefined()
  })
})

describe('firstPage', () => {
  it('removes all pages but the first', () => {
    const first = firstPage(data)
    expect(first).toEqual({ pages: [data.pages[0]], pageParams: [null] })
    expect(firstPage(first)).toBe(first)
  })
})
