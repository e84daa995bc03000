import { expect, test } from 'vitest'
import { affectsEarnings } from './realtime'

const notification = (kind: string) => ({
  notificationId: '0199aaaa-0000-7000-8000-000000000001',
  kind,
  unreadTotal: 1,
})

test.each([
  [true, 'notification.created', notification('tip')],
  [true, 'notification.created', notification('payout')],
  [false, 'notification.created', notification('like')],
  [false, 'notification.created', { kind: 'tip' }],
  [false, 'notification.read', notification('tip')],
])('returns %s for %s with the payload %j', (expected, event, payload) => {
  expect(affectsEarnings(event, payload)).toBe(expected)
})
