import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fetchMails, postMail, startSmtpMailbox } from '../support/mail.ts'

describe('the mailbox', () => {
  const mail = { to: 'a@example.test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  const injected = [
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
  ]

  it('refuses what would be more than one mail to one address', async () => {
    const to = `${randomUUID()}@example.test`
    expect(await postMail({ ...mail, to, subject: 'Grüße 👋' })).toBe(202)
    for (const wrong of injected) expect([wrong, await postMail({ ...mail, ...wrong })]).toEqual([wrong, 400])
    expect((await fetchMails(to)).map(({ subject }) => subject)).toEqual(['Grüße 👋'])
  })

  it('does so where it sends by SMTP, too', async () => {
    const own = await startSmtpMailbox()
    try {
      for (const wrong of injected) {
        expect([wrong, await postMail({ ...mail, ...wrong }, own.url)]).toEqual([wrong, 400])
      }
      expect(own.transcript).toEqual([])
      expect(await postMail({ ...mail, text: 'Hello\r\n.\r\nRCPT TO:<b@example.test>' }, own.url)).toBe(202)
      expect(own.transcript.filter((line) => /^(RCPT|Bcc|To|Subject)/i.test(line)).slice(0, 3)).toEqual([
        'RCPT TO:<a@example.test>',
        'To: a@example.test',
        'Subject: Hello',
      ])
      expect(own.transcript).toContain('..')
    } finally {
      own.stop()
    }
  })
})
