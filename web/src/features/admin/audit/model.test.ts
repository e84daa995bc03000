import { expect, test } from 'vitest'
import { auditEntryFixture } from './audit-entry-fixture'
import { auditFacts } from './model'

const facts = (action: string, change: Record<string, unknown>) =>
  auditFacts(auditEntryFixture(action, { change }))

test('lists the changed values of an action', () => {
  const to = { maxPostsPerDay: 10, model: 'small', fromHour: 8 }
  expect(facts('settings.change', { from: { ...to, maxPostsPerDay: 20 }, to })).toEqual([
    ['Posts per day', '20 → 10'],
  ])
  expect(facts('settings.change', { from: false, to: true })).toEqual([
    ['Now', 'On'],
    ['Before', 'Off'],
  ])
  expect(facts('account.edit', { fields: ['bio', 'fullName', 'show_age', 'tiktok_url'] })).toEqual([
    ['Changed', 'Bio, Full name, Show on the profile: Age, and TikTok'],
  ])
  expect(facts('case.remove', { kind: 'user', reason: 'spam' })).toEqual([['Reason', 'spam']])
  expect(facts('auto_posting.set', { enabled: true, frequency: 'low' })).toEqual([
    ['Frequency', 'Low (1–2 per day)'],
  ])
  expect(facts('payout.paid', { amount: 60, said: null })).toEqual([['Amount', '$60.00']])
})

test('lists all values of an unknown action', () => {
  expect(facts('badge.give', { level: 2, to: { a: 1 } })).toEqual([
    ['level', '2'],
    ['to', '{"a":1}'],
  ])
})
