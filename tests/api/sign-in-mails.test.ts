import { Notification } from '@contract/notification.ts'
import { OwnUser } from '@contract/user.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createCaptchaToken } from '../support/captcha.ts'
import { startApiServer } from '../support/function-server.ts'
import { fetchMails, startSmtpServer, waitForMail } from '../support/mail.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const on = (system: string, browser = 'Chrome/140.0.0.0 Safari/537.36') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`
const subject = 'New sign-in to Ovation'

async function signInFrom({ email, password }: TestUser, agent: string, url = stack.apiUrl): Promise<void> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email, password, recaptcha: await createCaptchaToken() }),
    headers: { 'Content-Type': 'application/json', 'User-Agent': agent },
  })
  expect(response.status).toBe(200)
  await response.body?.cancel()
}
const told = async (person: TestUser) =>
  (await apiAs(person).get('/api/notifications', z.array(Notification))).body.filter(
    ({ kind }) => kind === 'sign_in',
  )
const devices = async (person: TestUser) =>
  (
    await sql<{ device: string }[]>`
      select device from private.known_devices where user_id = ${person.id} order by first_seen_at`
  ).map(({ device }) => device)
const choose = (person: TestUser, settings: Record<string, boolean>) =>
  apiAs(person).patch('/api/settings/notifications', OwnUser, settings)

describe('a sign-in', () => {
  it('from a device that is new is told of, and mailed, at once and once', async () => {
    const { owner } = await createUsers('owner')
    await expect.poll(() => devices(owner)).toEqual(['an unknown device'])
    await signInFrom(owner, on('X11; Linux x86_64'))
    const mail = await waitForMail(owner.email)
    const start = 'We noticed a sign-in to your Ovation account from a new device.'
    expect([mail.subject, mail.text]).toEqual([subject, expect.stringContaining(start)])
    expect(mail.text).toContain('\n\nDevice: Chrome on Linux\n\nTime: ')
    expect(mail.text).toMatch(
      /Time: \w+, \w+ \d+, \d{4}( at|,) \d+:\d\d\s[AP]M UTC\n\nAddress: 127\.0\.0\.1\n/,
    )
    expect(mail.text).toContain(`Open Settings → Security\n${stack.apiUrl}/settings?tab=security`)
    const [notice, ...before] = await told(owner)
    expect(before).toEqual([])
    expect(notice).toMatchObject({
      title: 'New sign-in',
      message: 'New sign-in to your account from Chrome on Linux.',
      href: '/settings?tab=security',
      relatedUser: null,
      othersCount: 0,
    })
    // Not again for the same.
    await Promise.all([
      signInFrom(owner, on('X11; Linux x86_64')),
      signInFrom(owner, on('X11; Linux x86_64').replace('140', '141')),
    ])

    await choose(owner, { loginAlerts: false })
    await signInFrom(owner, on('Macintosh; Intel Mac OS X 10_15_7'))
    await expect.poll(() => devices(owner)).toHaveLength(3)
    expect(await told(owner)).toHaveLength(1)
    await choose(owner, { loginAlerts: true, emailNotifications: false })
    await signInFrom(owner, on('X11; CrOS x86_64 14541.0.0'))
    await expect.poll(() => told(owner)).toHaveLength(2)
    await choose(owner, { emailNotifications: true })
    await signInFrom(owner, on('Windows NT 10.0; Win64; x64'))
    expect((await waitForMail(owner.email, 2)).text).toContain('Device: Chrome on Windows\n')
    expect((await fetchMails(owner.email)).map((one) => one.subject)).toEqual([subject, subject])
  })

  it('is told of in no words of whoever signs in', async () => {
    const { owner } = await createUsers('owner')
    const words = 'Your account is locked, call 555 0100'
    const agents = [`${words}/1 (Windows NT 10.0)`, `${words}/1 x (`, `<b>${'x'.repeat(200)}</b>`, '/x']
    await Promise.all(agents.map((agent) => signInFrom(owner, agent)))
    await expect.poll(() => devices(owner)).toHaveLength(2)
    expect((await waitForMail(owner.email)).text).toContain('Device: Windows\n')
    expect((await told(owner)).map(({ message }) => message)).toEqual([
      'New sign-in to your account from Windows.',
    ])
    await signInFrom(owner, on('X11; Linux x86_64'))
    await waitForMail(owner.email, 2)
    expect((await devices(owner)).toSorted()).toEqual(['Chrome on Linux', 'Windows', 'an unknown device'])
  })

  it('is mailed by SMTP without a way to switch all mails off', async () => {
    const { owner } = await createUsers('owner')
    const smtp = await startSmtpServer()
    const own = await startApiServer({ SMTP_URL: smtp.url })
    try {
      await signInFrom(owner, on('X11; Linux x86_64'), own.url)
      await expect.poll(() => smtp.transcript, { timeout: 10_000 }).toContain('.')
      expect(smtp.transcript).toContain(`Subject: ${subject}`)
      expect(smtp.transcript.filter((line) => line.startsWith('RCPT'))).toEqual([`RCPT TO:<${owner.email}>`])
      expect(smtp.transcript.join('\n')).not.toMatch(/List-Unsubscribe/i)
    } finally {
      own.stop()
      smtp.stop()
    }
  })
})
