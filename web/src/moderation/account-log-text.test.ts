import type { AccountLogEntry } from '@contract/audit.ts'
import { describe, expect, it } from 'vitest'
import { withoutBidiControls } from '@/lib/text'
import { accountLogText } from './account-log-text'

const textOf = (entry: Pick<AccountLogEntry, 'action' | 'change'>) =>
  withoutBidiControls(
    accountLogText({ id: 1, createdAt: '2026-01-01T00:00:00Z', text: 'The server’s text.', ...entry }),
  )

describe('accountLogText', () => {
  it('uses the labels of the changed fields', () => {
    const change = { fields: ['bio', 'show_age', 'x_url', 'allowDirectMessages'] }
    expect(textOf({ action: 'account.edit', change })).toBe(
      'Your profile was changed: Bio, Show on the profile: Age, X, and Allow direct messages.',
    )
    expect(textOf({ action: 'account.edit', change: { fields: [] } })).toBe('Your profile was changed.')
  })

  it('adds the reason of a decision and the answer to an appeal', () => {
    expect(textOf({ action: 'case.hide', change: { kind: 'comment', reason: '{0} spam' } })).toBe(
      'Your comment was hidden. Reason: {0} spam',
    )
    expect(textOf({ action: 'appeal.refuse', change: { answer: 'It was an insult.' } })).toBe(
      'Your appeal was turned down. Answer: It was an insult.',
    )
  })

  it('returns the server’s text for an unknown action', () => {
    expect(textOf({ action: 'account.merge', change: { reason: 'Twins' } })).toBe('The server’s text.')
  })
})
