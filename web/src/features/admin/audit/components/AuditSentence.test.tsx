import { type AuditEntry, auditActions } from '@contract/audit.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { auditEntryFixture } from '../audit-entry-fixture'
import { AuditSentence } from './AuditSentence'

const render = (action: string, entry: Partial<AuditEntry> = {}) =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <AuditSentence entry={auditEntryFixture(action, entry)} actor={<b>Ada</b>} target={<b>Cleo</b>} />
    </I18nProvider>,
  )

test('describes every action in a sentence', () => {
  for (const action of auditActions) {
    // The operator, who has no account, performs this action.
    if (action !== 'test_money.void') expect(render(action), action).toContain('<b>Ada</b>')
    expect(render(action), action).not.toContain(action)
  }
})

test('names the affected user, the subject and the changed setting', () => {
  expect(render('case.remove', { change: { kind: 'user' } })).toBe(
    '<b>Ada</b> removed the account of <b>Cleo</b>',
  )
  expect(render('case.dismiss', { change: { kind: 'comment' } })).toBe(
    '<b>Ada</b> dismissed a report about a comment',
  )
  expect(render('settings.change', { subject: 'auto_posting' })).toBe(
    '<b>Ada</b> changed a setting: Auto-posting',
  )
})

test('shows the name of an unknown action', () => {
  expect(render('badge.give')).toBe('<b>Ada</b> performed badge.give')
  expect(render('badge.give', { targetId: 'b' })).toBe('<b>Ada</b> performed badge.give on <b>Cleo</b>')
})
