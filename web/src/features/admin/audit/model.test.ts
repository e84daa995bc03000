import { type AuditEntry, auditActions } from '@contract/audit.ts'
import { expect, test } from 'vitest'
import { auditActionNames, describeAction } from './model'

const entry = (
  action: string,
  change: AuditEntry['change'] = {},
  subject: string | null = null,
): AuditEntry => ({
  id: 1,
  createdAt: '2026-11-21T12:00:00Z',
  action,
  actorId: 'a',
  actor: null,
  targetId: null,
  target: null,
  subject,
  change,
  hash: '',
})

test('has a label and a sentence for every action', () => {
  for (const action of auditActions) {
    expect(auditActionNames[action], action).toBeTruthy()
    expect(describeAction(entry(action)).before, action).not.toContain(action)
  }
})

test('lists the changed values of an action', () => {
  const to = { maxPostsPerDay: 10, model: 'small', fromHour: 8 }
  expect(
    describeAction(entry('settings.change', { from: { ...to, maxPostsPerDay: 20 }, to }, 'auto_posting')),
  ).toEqual({
    before: 'changed the setting auto posting',
    facts: [['max posts per day', '20 → 10']],
  })
  expect(
    describeAction(entry('settings.change', { from: false, to: true }, 'require_approval')).facts,
  ).toEqual([
    ['Now', 'on'],
    ['Before', 'off'],
  ])
  expect(describeAction(entry('account.edit', { fields: ['fullName', 'bio'] })).facts).toEqual([
    ['Changed', 'full name, bio'],
  ])
  expect(describeAction(entry('case.remove', { kind: 'user', reason: 'spam' }))).toEqual({
    before: 'removed the account of',
    facts: [['Reason', 'spam']],
  })
  expect(describeAction(entry('case.dismiss', { kind: 'comment' })).before).toBe(
    'dismissed a report about a comment',
  )
  expect(describeAction(entry('payout.paid', { amount: 60, said: null })).facts).toEqual([
    ['Amount', '$60.00'],
  ])
})

test('shows an unknown action by its name with all changed values', () => {
  expect(describeAction(entry('badge.give', { level: 2, to: { a: 1 } }))).toEqual({
    before: 'did badge.give',
    facts: [
      ['level', '2'],
      ['to', '{"a":1}'],
    ],
  })
})
