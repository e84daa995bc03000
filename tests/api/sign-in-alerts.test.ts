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

const userAgentOn = (system: string, browser = 'Chrome/140.0.0.0 Safari/537.36') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`
const subject = 'New sign-in to Ovation'

async function signInFrom(
  { email, password }: TestUser,
  userAgent: string,
  url = stack.apiUrl,
): Promise<void> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email, password, recaptcha: await createCaptchaToken() }),
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
  })
  expect(response.status).toBe(200)
  await response.body?.cancel()
}
const signInNotifications = async (user: TestUser) =>
  (await apiAs(user).get('/api/notifications', z.array(Notification))).body.filter(
    ({ kind }) => kind === 'sign_in',
  )
const listDevices = async (user: TestUser) =>
  (
    await sql<{ device: string }[]>`
      select device from private.known_devices where user_id = ${user.id} order by first_seen_at`
  ).map(({ device }) => device)
const updateSettings = (user: TestUser, settings: Record<string, boolean>) =>
  apiAs(user).patch('/api/settings/notifications', OwnUser, settings)

describe('a sign-in', () => {
  it('from a new device sends one notification and one email, unless they are turned off', async () => {
    const { owner } = await createUsers('owner')
    await expect.poll(() => listDevices(owner)).toEqual(['an unknown device'])
    await signInFrom(owner, userAgentOn('X11; Linux x86_64'))
    const mail = await waitForMail(owner.email)
    const firstLine = 'We noticed a sign-in to your Ovation account from a new device.'
    expect([mail.subject, mail.text]).toEqual([subject, expect.stringContaining(firstLine)])
    expect(mail.text).toContain('\n\nDevice: Chrome on Linux\n\nTime: ')
    expect(mail.text).toMatch(
      /Time: \w+, \w+ \d+, \d{4}( at|,) \d+:\d\d\s[AP]M UTC\n\nIP address: 127\.0\.0\.1\n/,
    )
    expect(mail.text).toContain(`Open Settings → Security\n${stack.apiUrl}/settings/security`)
    const [notice, ...others] = await signInNotifications(owner)
    expect(others).toEqual([])
    expect(notice).toMatchObject({
      title: 'New sign-in',
      message: 'New sign-in to your account from Chrome on Linux.',
      href: '/settings/security',
      relatedUser: null,
      othersCount: 0,
    })
    // Further sign-ins from the same device send nothing.
    await Promise.all([
      signInFrom(owner, userAgentOn('X11; Linux x86_64')),
      signInFrom(owner, userAgentOn('X11; Linux x86_64').replace('140', '141')),
    ])

    const isKnown = async (device: string) =>
      (await sql`select private.is_known_device(${owner.id}, ${device}) as known`)[0]?.known
    expect([await isKnown('Chrome on Linux'), await isKnown('Chrome on macOS')]).toEqual([true, false])

    await updateSettings(owner, { loginAlerts: false })
    await signInFrom(owner, userAgentOn('Macintosh; Intel Mac OS X 10_15_7'))
    await expect.poll(() => listDevices(owner)).toHaveLength(3)
    expect(await signInNotifications(owner)).toHaveLength(1)
    await updateSettings(owner, { loginAlerts: true, emailNotifications: false })
    await signInFrom(owner, userAgentOn('X11; CrOS x86_64 14541.0.0'))
    await expect.poll(() => signInNotifications(owner)).toHaveLength(2)
    await updateSettings(owner, { emailNotifications: true })
    await signInFrom(owner, userAgentOn('Windows NT 10.0; Win64; x64'))
    expect((await waitForMail(owner.email, 2)).text).toContain('Device: Chrome on Windows\n')
    expect((await fetchMails(owner.email)).map((email) => email.subject)).toEqual([subject, subject])
  })

  it('is reported without arbitrary text from the User-Agent header', async () => {
    const { owner } = await createUsers('owner')
    const text = 'Your account is locked, call 555 0100'
    const userAgents = [`${text}/1 (Windows NT 10.0)`, `${text}/1 x (`, `<b>${'x'.repeat(200)}</b>`, '/x']
    await Promise.all(userAgents.map((userAgent) => signInFrom(owner, userAgent)))
    await expect.poll(() => listDevices(owner)).toHaveLength(2)
    expect((await waitForMail(owner.email)).text).toContain('Device: Windows\n')
    expect((await signInNotifications(owner)).map(({ message }) => message)).toEqual([
      'New sign-in to your account from Windows.',
    ])
    await signInFrom(owner, userAgentOn('X11; Linux x86_64'))
    await waitForMail(owner.email, 2)
    expect((await listDevices(owner)).toSorted()).toEqual(['Chrome on Linux', 'Windows', 'an unknown device'])
  })

  it('is reported through SMTP without an unsubscribe header', async () => {
    const { owner } = await createUsers('owner')
    const smtp = await startSmtpServer()
    const apiWithSmtp = await startApiServer({ SMTP_URL: smtp.url })
    try {
      await signInFrom(owner, userAgentOn('X11; Linux x86_64'), apiWithSmtp.url)
      await expect.poll(() => smtp.transcript).toContain('.')
      expect(smtp.transcript).toContain(`Subject: ${subject}`)
      expect(smtp.transcript.filter((line) => line.startsWith('RCPT'))).toEqual([`RCPT TO:<${owner.email}>`])
      expect(smtp.transcript.join('\n')).not.toMatch(/List-Unsubscribe/i)
    } finally {
      apiWithSmtp.stop()
      smtp.stop()
    }
  })
})
