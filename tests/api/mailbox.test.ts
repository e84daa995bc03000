import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { renderMailbox } from '../../stack/mailbox/page.ts'
import { fetchMails, postMail, startSmtpMailbox } from '../support/mail.ts'

describe('the mailbox', () => {
  const mail = { to: 'a@example.test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  const invalidFields = [
    { to: 'a@example.test\r\nBcc: b@example.test' },
    { to: 'a@example.test,b@example.test' },
    { to: 'a@example.test b@example.test' },
    { to: 'Name <a@example.test>' },
    { to: 'a\u2028@example.test' },
    { to: '' },
    { subject: 'Hello\r\nBcc: b@example.test' },
    { subject: 'Hello\nthere' },
    { subject: 'Hello\u0000' },
    { subject: 'Hello\u0085there' },
    { subject: 7 },
    { headers: 'List-Unsubscribe: <https://example.test>' },
    { headers: { 'List-Unsubscribe': 7 } },
    { headers: { 'List-Unsubscribe': '<https://example.test>\r\nBcc: b@example.test' } },
    { headers: { Bcc: 'b@example.test' } },
  ]

  it('accepts a Unicode subject, and rejects invalid recipients, subjects and headers', async () => {
    const to = `${randomUUID()}@example.test`
    expect(await postMail({ ...mail, to, subject: 'Grüße 👋' })).toBe(202)
    for (const invalid of invalidFields)
      expect([invalid, await postMail({ ...mail, ...invalid })]).toEqual([invalid, 400])
    expect((await fetchMails(to)).map(({ subject }) => subject)).toEqual(['Grüße 👋'])
  })

  it.each([
    [0, '0 emails'],
    [1, '1 email'],
    [100, '100 emails'],
    [101, 'Latest 100 of 101 emails'],
  ])('for a count of %d, shows the summary "%s" and lists at most 100 emails', (count, summary) => {
    const stored = { ...mail, id: 'a', sentAt: '2026-01-02T03:04:05.000Z' }
    const page = renderMailbox(Array<typeof stored>(count).fill(stored), 'Ovation', false)
    expect(page).toContain(`<p>${summary}. `)
    expect(page.match(/<details/g) ?? []).toHaveLength(Math.min(count, 100))
  })

  it('rejects invalid emails instead of sending them through SMTP, escapes a line with only a dot, and sends headers', async () => {
    const smtpMailbox = await startSmtpMailbox()
    try {
      for (const invalid of invalidFields) {
        expect([invalid, await postMail({ ...mail, ...invalid }, smtpMailbox.url)]).toEqual([invalid, 400])
      }
      expect(smtpMailbox.transcript).toEqual([])
      expect(
        await postMail({ ...mail, text: 'Hello\r\n.\r\nRCPT TO:<b@example.test>' }, smtpMailbox.url),
      ).toBe(202)
      expect(
        smtpMailbox.transcript.filter((line) => /^(RCPT|Bcc|To|Subject)/i.test(line)).slice(0, 3),
      ).toEqual(['RCPT TO:<a@example.test>', 'To: a@example.test', 'Subject: Hello'])
      expect(smtpMailbox.transcript).toContain('..')
      const headers = {
        'List-Unsubscribe': '<https://ovation.example/api/unsubscribe?token=a>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
      expect(await postMail({ ...mail, headers }, smtpMailbox.url)).toBe(202)
      expect(smtpMailbox.transcript.filter((line) => line.startsWith('List-'))).toEqual(
        Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      )
    } finally {
      smtpMailbox.stop()
    }
  })
})
