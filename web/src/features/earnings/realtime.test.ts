import { expect, test } from 'vitest'
import { affectsEarnings } from './realtime'

const notification = (kind: string) => ({
  notificationId: '0199aaaa-0000-7000-8000-000000000001',
  kind,
  unreadTotal: 1,
})

test.each([
  ['notification.created', notification('tip'), true],
  ['notification.created', notification('payout'), true],
  ['notification.created', notification('like'), false],
  ['notification.created', { kind: 'tip' }, false],
  ['notification.read', notification('tip'), false],
])('%s of %j: %s', (event, payload, changes) => {
  expect(affectsEarnings(event, payload)).toBe(changes)
})
