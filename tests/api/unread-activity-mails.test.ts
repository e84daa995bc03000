import { Count } from '@contract/common.ts'
import { LikeResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { createPost, sendMessage } from '../support/content-api.ts'
import { startJobsServer } from '../support/function-server.ts'
import {
  backdateUnread,
  fetchMails,
  type Mail,
  runMailsJob,
  type SmtpServer,
  startMailReceiver,
  startSmtpServer,
} from '../support/mail.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, getOwnUser, type TestUser } from '../support/users.ts'

const secret = 'Text that no email may contain'

const sendSecret = (from: TestUser, to: TestUser) => sendMessage(from, to, secret)

const unsubscribeHeader = new RegExp(
  `List-Unsubscribe: <${stack.apiUrl.replaceAll('.', '\\.')}/api/unsubscribe\\?token=[0-9a-f]{64}>`,
)
/** Returns the path of the unsubscribe page: the URL in the `List-Unsubscribe` header without the origin and `/api`. */
const unsubscribePath = (mail: Mail | undefined) =>
  mail?.headers?.['List-Unsubscribe']?.slice(`<${stack.apiUrl}/api`.length, -1) ?? ''

describe('the email about unread activity', () => {
  let reader: TestUser
  let ana: TestUser
  let ben: TestUser
  let others: Record<'optedOut' | 'upToDate' | 'blocker' | 'recent' | 'badAddress' | 'busy', TestUser>
  beforeAll(async () => {
    const users = await createUsers(
      'reader',
      'ana',
      'ben',
      'optedOut',
      'upToDate',
      'blocker',
      'recent',
      'badAddress',
      'busy',
    )
    ;({ reader, ana, ben, ...others } = users)
    await sql`update public.profiles set first_name = 'Ana & <i>Co</i>', last_name = null where id = ${ana.id}`
  })

  it('is sent once, despite concurrent runs, to each user for whom it is due and who has these emails turned on', async () => {
    const { optedOut, upToDate, blocker, recent, badAddress } = others
    const { id: postId } = await createPost(reader, 'Hello')
    for (const fan of [ben, ana]) await apiAs(fan).post(`/api/posts/${postId}/like`, LikeResponse)
    await sendSecret(ana, reader)
    await sendSecret(ana, reader)
    for (const user of [optedOut, upToDate, blocker, recent, badAddress]) await sendSecret(ana, user)
    await apiAs(optedOut).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
    await apiAs(upToDate).post('/api/messages/mark-all-read', Count)
    await apiAs(upToDate).post('/api/notifications/read-all', Count)
    await apiAs(blocker).post(`/api/users/${ana.id}/block`, BlockResponse)
    await sql`update public.accounts set email = ${`${badAddress.id} is no address`} where user_id = ${badAddress.id}`
    for (const user of [reader, optedOut, upToDate, blocker, badAddress])
      await backdateUnread(user, '16 minutes')

    const runs = await Promise.all([runMailsJob(), runMailsJob(), runMailsJob()])
    expect(runs.every(({ on }) => on)).toBe(true)
    expect(runs.reduce((sum, { failed }) => sum + failed, 0)).toBe(1)
    const [mail, ...more] = await fetchMails(reader.email)
    expect([mail?.subject, more]).toEqual(['2 unread messages and 1 notification on Ovation', []])
    const link = (path: string) => `${stack.apiUrl}${path}`
    expect(mail?.text.split('\n\n')).toEqual([
      'While you were away',
      `2 unread messages from Ana & <i>Co</i>\n${link(`/messages?user=${ana.id}`)}`,
      `Ana & <i>Co</i> and 1 other liked your post.\n${link(`/post/${postId}`)}`,
      `Open Ovation\n${link('/messages')}`,
      "You're receiving this email because you have unread activity on Ovation.",
      `Unsubscribe from these emails\n${link(unsubscribePath(mail))}`,
      `Change your notification settings\n${link('/settings/notifications')}`,
    ])
    expect(mail?.html).toContain('from Ana &#38; &#60;i&#62;Co&#60;/i&#62;</a>')
    expect(`${mail?.html}${mail?.text}`).not.toContain(secret)
    expect(mail?.html).not.toMatch(/<img|<script/)
    for (const user of [optedOut, upToDate, blocker, recent, badAddress])
      expect(await fetchMails(user.email)).toEqual([])

    // A failed email is retried after a delay.
    await sql`update public.accounts set email = ${badAddress.email} where user_id = ${badAddress.id}`
    await runMailsJob()
    expect(await fetchMails(badAddress.email)).toEqual([])
    await sql`
      update private.notification_mails set mailed_at = mailed_at - interval '15 minutes'
      where user_id = ${badAddress.id}`
    await runMailsJob()
    expect((await fetchMails(badAddress.email)).map(({ subject }) => subject)).toEqual([
      '1 unread message on Ovation',
    ])
  })

  it('is due again after an hour if a run ended before sending it', async () => {
    const { fan } = await createUsers('fan')
    await sendSecret(ana, fan)
    await backdateUnread(fan, '16 minutes')
    await sql`select private.claim_digests(1000)`
    await runMailsJob()
    expect(await fetchMails(fan.email)).toEqual([])
    await sql`
      update private.notification_mails set mailed_at = mailed_at - interval '1 hour' where user_id = ${fan.id}`
    await runMailsJob()
    expect(await fetchMails(fan.email)).toHaveLength(1)
  })

  it('is not sent until the address is confirmed, because it may belong to somebody else', async () => {
    const { fan } = await createUsers('fan')
    await sql`update public.accounts set email_confirmed_at = null where user_id = ${fan.id}`
    await sendSecret(ana, fan)
    await backdateUnread(fan, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(fan.email)).toEqual([])
    await sql`update public.accounts set email_confirmed_at = now() where user_id = ${fan.id}`
    await runMailsJob()
    expect(await fetchMails(fan.email)).toHaveLength(1)
  })

  it('has a link that turns off only these emails and requires no session', async () => {
    const { fan, other } = await createUsers('fan', 'other')
    await sendSecret(ana, fan)
    await backdateUnread(fan, '16 minutes')
    await runMailsJob()
    const [mail] = await fetchMails(fan.email)
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    const url = `${stack.apiUrl}/api${unsubscribePath(mail)}`
    const settingsOf = async (user: TestUser) => (await getOwnUser(user)).notificationSettings
    const before = await settingsOf(fan)
    /** Sends the one-click request that an email client sends. */
    const post = (target: string) =>
      fetch(target, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
        redirect: 'manual',
      })

    // A link scanner that opens the URL changes nothing and is redirected to the page with the unsubscribe button.
    const opened = await fetch(url, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, unsubscribePath(mail)])
    expect(await settingsOf(fan)).toEqual(before)
    for (const wrong of [url.slice(0, -1), `${url}0`, url.replace(/=.*/, '='), url.replace(/\?.*/, '')]) {
      const response = await post(wrong)
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ message: 'This unsubscribe link no longer works.' }),
      ])
    }
    expect(await settingsOf(fan)).toEqual(before)

    for (const attempt of [1, 2]) {
      const response = await post(url)
      expect([attempt, response.status, await response.json()]).toEqual([
        attempt,
        200,
        { unsubscribed: true },
      ])
    }
    expect(await settingsOf(fan)).toEqual({ ...before, emailNotifications: false })
    expect(await settingsOf(other)).toEqual(before)
    await sendSecret(ben, fan)
    await backdateUnread(fan, '2 hours')
    await runMailsJob()
    expect(await fetchMails(fan.email)).toHaveLength(1)
    // Security alerts are still sent. Otherwise, anyone who gets hold of one of these emails could turn the alerts off.
    const [alerts] = await sql`
      select s.email_notifications and s.login_alerts as sent from public.user_settings s where s.user_id = ${fan.id}`
    expect(alerts?.sent).toBe(true)

    await apiAs(fan).patch('/api/settings/notifications', OwnUser, { emailNotifications: true })
    await runMailsJob()
    expect(await fetchMails(fan.email)).toHaveLength(2)
    await apiAs(fan).expectNoContent('DELETE', '/api/account', { password: fan.password })
    expect((await post(url)).status).toBe(404)
  })

  it('is sent again after an hour at the earliest, with newer activity only', async () => {
    await apiAs(ben).post(`/api/users/${reader.id}/follow`, FollowResponse)
    await backdateUnread(reader, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(reader.email)).toHaveLength(1)
    await backdateUnread(reader, '45 minutes')
    await runMailsJob()
    const [mail, ...earlier] = await fetchMails(reader.email)
    expect([mail?.subject, earlier.length]).toEqual(['1 notification on Ovation', 1])
    expect(mail?.text).toContain('Test Person started following you.')
    expect(mail?.text).not.toContain('Ana')
    await backdateUnread(reader, '2 hours')
    await runMailsJob()
    expect(await fetchMails(reader.email)).toHaveLength(2)
  })

  it('is sent even if activity never pauses, and mentions a conversation again only after it is read', async () => {
    const { busy } = others
    const subjects = async () => (await fetchMails(busy.email)).map(({ subject }) => subject)
    const { id: postId } = await createPost(busy, 'Hello')
    await apiAs(ben).post(`/api/posts/${postId}/like`, LikeResponse)
    await sendSecret(ana, busy)
    await backdateUnread(busy, '16 minutes')
    await apiAs(ana).post(`/api/posts/${postId}/like`, LikeResponse)
    await sendSecret(ana, busy)
    await runMailsJob()
    expect(await subjects()).toEqual(['2 unread messages and 1 notification on Ovation'])
    expect((await fetchMails(busy.email))[0]?.text).toContain('Ana & <i>Co</i> and 1 other liked your post.')
    await apiAs(busy).post('/api/notifications/read-all', Count)
    await sendSecret(ana, busy)
    await backdateUnread(busy, '2 hours')
    await runMailsJob()
    expect(await subjects()).toHaveLength(1)
    await apiAs(busy).post('/api/messages/mark-all-read', Count)
    await sendSecret(ana, busy)
    await backdateUnread(busy, '2 hours')
    await runMailsJob()
    expect((await subjects())[0]).toBe('1 unread message on Ovation')
  })

  it('uses the username instead of a name that an email client would turn into a link', async () => {
    const { linkName, domainName, initialsName, wwwName, recipient } = await createUsers(
      'linkName',
      'domainName',
      'initialsName',
      'wwwName',
      'recipient',
    )
    const setName = (user: TestUser, name: string) =>
      sql`update public.profiles set full_name = ${name}, first_name = null, last_name = null where id = ${user.id}`
    await setName(linkName, 'https://evil.example/login')
    await setName(domainName, 'Team Evil.Example')
    await setName(initialsName, 'J.R. Doe')
    await setName(wwwName, 'WWW. evil')
    const { id: postId } = await createPost(recipient, 'Hello')
    await apiAs(linkName).post(`/api/posts/${postId}/like`, LikeResponse)
    for (const user of [linkName, domainName, initialsName, wwwName]) await sendSecret(user, recipient)
    await backdateUnread(recipient, '16 minutes')
    await runMailsJob()
    const [mail] = await fetchMails(recipient.email)
    expect(mail?.text).toContain(`@${linkName.username} liked your post.`)
    for (const { username } of [linkName, domainName, wwwName]) {
      expect(mail?.text).toContain(`1 unread message from @${username}\n`)
    }
    expect(mail?.text).toContain('1 unread message from J.R. Doe\n')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil/i)
  })

  it('leaves out sign-ins from a new device, which are reported in a separate email', async () => {
    const { owner } = await createUsers('owner')
    await sql`select private.create_notification(${owner.id}, null, 'sign_in', detail => 'Chrome on Linux')`
    await backdateUnread(owner, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(owner.email)).toEqual([])
    await apiAs(ben).post(`/api/users/${owner.id}/follow`, FollowResponse)
    await backdateUnread(owner, '16 minutes')
    await runMailsJob()
    expect((await fetchMails(owner.email)).map(({ subject }) => subject)).toEqual([
      '1 notification on Ovation',
    ])
  })

  it('leaves out deleted messages', async () => {
    const { upToDate } = others
    const first = await sendSecret(ana, upToDate)
    await apiAs(ana).expectNoContent('DELETE', `/api/messages/${first.id}`)
    await backdateUnread(upToDate, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(upToDate.email)).toEqual([])
    const second = await sendSecret(ana, upToDate)
    await sendSecret(ana, upToDate)
    await apiAs(ana).expectNoContent('DELETE', `/api/messages/${second.id}`)
    await backdateUnread(upToDate, '16 minutes')
    await runMailsJob()
    const [mail, ...more] = await fetchMails(upToDate.email)
    expect([mail?.subject, more]).toEqual(['1 unread message on Ovation', []])
    // All three messages, including the deleted ones, stay counted as unread in the conversation.
    const [member] =
      await sql`select unread_count from public.conversation_members where user_id = ${upToDate.id}`
    expect(member?.unread_count).toBe(3)
  })

  it('uses the preferences and address at the time of sending', async () => {
    const queue = Object.values(await createUsers('a', 'b', 'c', 'd', 'e', 'f', 'g'))
    for (const user of queue) {
      await sendSecret(ana, user)
      await backdateUnread(user, '16 minutes')
    }
    const mailReceiver = await startMailReceiver()
    const jobs = await startJobsServer({ MAIL_URL: mailReceiver.url })
    try {
      const running = runMailsJob(`${jobs.url}/jobs`)
      // The job sends up to five emails in parallel.
      await expect.poll(() => mailReceiver.recipients.length).toBe(5)
      const [optedOut, withNewAddress] = queue.filter(({ email }) => !mailReceiver.recipients.includes(email))
      if (!optedOut || !withNewAddress) throw new Error('More than five emails were sent in parallel.')
      await apiAs(optedOut).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
      await sql`update public.accounts set email = ${`new-${withNewAddress.email}`} where user_id = ${withNewAddress.id}`
      mailReceiver.respond()
      expect(await running).toMatchObject({ on: true, failed: 0 })
      expect(mailReceiver.recipients).toContain(`new-${withNewAddress.email}`)
      expect(mailReceiver.recipients).not.toContain(withNewAddress.email)
      expect(mailReceiver.recipients).not.toContain(optedOut.email)
    } finally {
      mailReceiver.stop()
      jobs.stop()
    }
  })

  it('cannot be triggered without the job secret', async () => {
    const response = await fetch(`${stack.jobsUrl}/mails`, { method: 'POST' })
    expect(response.status).toBe(401)
  })

  describe('with other mail settings', () => {
    let smtp: SmtpServer
    beforeAll(async () => {
      smtp = await startSmtpServer()
    })
    afterAll(() => smtp?.stop())

    it('is sent through SMTP if configured; without mail settings, the job reports that emails are off', async () => {
      const [withSmtp, withoutMail, withInvalidName] = await Promise.all([
        startJobsServer({ SMTP_URL: `${smtp.url}?from=hello@example.test`, APP_NAME: 'Encore' }),
        startJobsServer({}),
        startJobsServer({ SMTP_URL: smtp.url, APP_NAME: 'Encore\nBcc: b@example.test' }),
      ])
      try {
        const { recent, blocker } = others
        await backdateUnread(recent, '16 minutes')
        expect(await runMailsJob(`${withoutMail.url}/jobs`)).toEqual({ on: false, sent: 0, failed: 0 })
        // The app name adds a line break to the subject, so the email is rejected.
        expect(await runMailsJob(`${withInvalidName.url}/jobs`)).toMatchObject({ sent: 0, failed: 1 })
        expect(smtp.transcript).toEqual([])
        await backdateUnread(recent, '16 minutes')
        await sendSecret(ben, blocker)
        await backdateUnread(blocker, '16 minutes')
        // A recipient field with two addresses is rejected.
        await sql`update public.accounts set email = ${`${blocker.email},another-one@example.test`} where user_id = ${blocker.id}`
        expect(await runMailsJob(`${withSmtp.url}/jobs`)).toMatchObject({ on: true, failed: 1 })
        expect(smtp.transcript.join('\n')).not.toContain('another-one@example.test')
        expect(smtp.transcript).toContain('MAIL FROM:<hello@example.test>')
        expect(smtp.transcript.filter((line) => line === `RCPT TO:<${recent.email}>`)).toHaveLength(1)
        expect(smtp.transcript).toContain('From: Encore <hello@example.test>')
        // Long header lines are folded.
        const headers = smtp.transcript.join('\n').replaceAll('\n ', ' ')
        expect(headers).toMatch(unsubscribeHeader)
        expect(headers).toContain('\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n')
        expect(smtp.transcript).toContain('Subject: 1 unread message on Encore')
        expect(await fetchMails(recent.email)).toEqual([])
      } finally {
        withSmtp.stop()
        withoutMail.stop()
        withInvalidName.stop()
      }
    })
  })
})
