import { Count } from '@contract/common.ts'
import { ChatMessage } from '@contract/message.ts'
import { Notification } from '@contract/notification.ts'
import { LikeAnswer, Post } from '@contract/post.ts'
import { BlockAnswer, FollowAnswer, OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { as, call } from '../support/api.ts'
import { captcha } from '../support/captcha.ts'
import { mailsTo, mailTo, type SmtpServer, startSmtp } from '../support/mailbox.ts'
import { startJobs } from '../support/own-api.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql, stack } from '../support/stack.ts'

const secret = 'Words that no mail may carry'

/** Runs the job, as the schedule does. */
async function run(url = `${stack.jobsUrl}/mails`) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.jobSecret}` },
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { on: boolean; sent: number; failed: number }
}

/** Lets everything that somebody was told, and when they were written to, be so much longer ago. */
async function wait(person: Person, long: string): Promise<void> {
  await sql`update public.notifications set created_at = created_at - ${long}::interval where user_id = ${person.id}`
  await sql`update public.conversation_members set last_message_at = last_message_at - ${long}::interval
            where user_id = ${person.id}`
  await sql`update private.mail_marks
            set mailed_at = mailed_at - ${long}::interval, mailed_until = mailed_until - ${long}::interval
            where user_id = ${person.id}`
}

const write = (from: Person, to: Person, content = secret) =>
  as(from).post('/api/messages', ChatMessage, { receiverId: to.id, content }, 201)
const publish = async (author: Person) =>
  (await as(author).post('/api/posts', Post, { content: 'Hello' }, 201)).body.id

describe('a mail about what was left unread', () => {
  let reader: Person
  let ana: Person
  let ben: Person
  let others: Record<'off' | 'done' | 'blocker' | 'fresh' | 'broken', Person>
  beforeAll(async () => {
    const made = await createPeople('reader', 'ana', 'ben', 'off', 'done', 'blocker', 'fresh', 'broken')
    ;({ reader, ana, ben, ...others } = made)
    await sql`update public.profiles set first_name = 'Ana & <i>Co</i>', last_name = null where id = ${ana.id}`
  })

  it('goes once to each who wants it, whoever calls, and however often', async () => {
    const { off, done, blocker, fresh, broken } = others
    const post = await publish(reader)
    for (const fan of [ben, ana]) await as(fan).post(`/api/posts/${post}/like`, LikeAnswer)
    await write(ana, reader)
    await write(ana, reader)
    for (const person of [off, done, blocker, fresh, broken]) await write(ana, person)
    await as(off).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
    await as(done).post('/api/messages/mark-all-read', Count)
    await as(done).post('/api/notifications/read-all', Count)
    await as(blocker).post(`/api/users/${ana.id}/block`, BlockAnswer)
    await sql`update public.accounts set email = ${`${broken.id} is no address`} where user_id = ${broken.id}`
    for (const person of [reader, off, done, blocker, broken]) await wait(person, '16 minutes')

    const runs = await Promise.all([run(), run(), run()])
    expect(runs.every(({ on }) => on)).toBe(true)
    expect(runs.reduce((sum, { failed }) => sum + failed, 0)).toBe(1)
    const [mail, ...more] = await mailsTo(reader.email)
    expect([mail?.subject, more]).toEqual(['2 unread messages and 1 notification on Ovation', []])
    const link = (path: string) => `${stack.apiUrl}${path}`
    expect(mail?.text.split('\n\n')).toEqual([
      'While you were away',
      `2 unread messages from Ana & <i>Co</i>\n${link(`/messages?user=${ana.id}`)}`,
      `Ana & <i>Co</i> and 1 other liked your post.\n${link(`/post/${post}`)}`,
      `Open Ovation\n${link('/messages')}`,
      'You get this mail because you have not read this on Ovation yet.',
      `Switch these mails off\n${link('/settings?tab=notifications')}`,
    ])
    expect(mail?.html).toContain('from Ana &#38; &#60;i&#62;Co&#60;/i&#62;</a>')
    expect(`${mail?.html}${mail?.text}`).not.toContain(secret)
    expect(mail?.html).not.toMatch(/<img|<script/)
    for (const person of [off, done, blocker, fresh, broken]) expect(await mailsTo(person.email)).toEqual([])

    // What could not be sent is tried again, and is not lost.
    await sql`update public.accounts set email = ${broken.email} where user_id = ${broken.id}`
    await run()
    expect(await mailsTo(broken.email)).toEqual([])
    await sql`update private.mail_marks set mailed_at = mailed_at - interval '15 minutes' where user_id = ${broken.id}`
    await run()
    expect((await mailsTo(broken.email)).map(({ subject }) => subject)).toEqual([
      '1 unread message on Ovation',
    ])
  })

  it('tells only of what came since, an hour later at the soonest', async () => {
    await as(ben).post(`/api/users/${reader.id}/follow`, FollowAnswer)
    await wait(reader, '16 minutes')
    await run()
    expect(await mailsTo(reader.email)).toHaveLength(1)
    await wait(reader, '45 minutes')
    await run()
    const [mail, ...before] = await mailsTo(reader.email)
    expect([mail?.subject, before.length]).toEqual(['1 notification on Ovation', 1])
    expect(mail?.text).toContain('Test Person started following you.')
    expect(mail?.text).not.toContain('Ana')
    await wait(reader, '2 hours')
    await run()
    expect(await mailsTo(reader.email)).toHaveLength(2)
  })

  it('is for the schedule to send', async () => {
    const response = await fetch(`${stack.jobsUrl}/mails`, { method: 'POST' })
    expect(response.status).toBe(401)
  })

  describe('by a function of its own', () => {
    let smtp: SmtpServer
    beforeAll(async () => {
      smtp = await startSmtp()
    })
    afterAll(() => smtp?.stop())

    it('leaves by SMTP where that is set; where nothing is, the job says so', async () => {
      const [own, none] = await Promise.all([
        startJobs({ SMTP_URL: `${smtp.url}?from=hello@example.test`, APP_NAME: 'Encore' }),
        startJobs({}),
      ])
      try {
        const { fresh } = others
        await wait(fresh, '16 minutes')
        expect(await run(`${none.url}/jobs/mails`)).toEqual({ on: false, sent: 0, failed: 0 })
        expect(await run(`${own.url}/jobs/mails`)).toMatchObject({ on: true, failed: 0 })
        expect(smtp.told).toContain('MAIL FROM:<hello@example.test>')
        expect(smtp.told.filter((line) => line === `RCPT TO:<${fresh.email}>`)).toHaveLength(1)
        expect(smtp.told).toContain('From: Encore <hello@example.test>')
        expect(smtp.told.join('\n')).toContain(
          `List-Unsubscribe: <${stack.apiUrl}/settings?tab=notifications>`,
        )
        expect(smtp.told).toContain('Subject: 1 unread message on Encore')
        expect(await mailsTo(fresh.email)).toEqual([])
      } finally {
        own.stop()
        none.stop()
      }
    })
  })
})

describe('a sign-in', () => {
  const linux =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const list = async (person: Person) =>
    (await as(person).get('/api/notifications', z.array(Notification))).body.filter(
      ({ kind }) => kind === 'sign_in',
    )
  async function signInFrom({ email, password }: Person, agent: string): Promise<void> {
    const response = await call('POST', '/api/auth/login', {
      body: { email, password, recaptcha: await captcha() },
      headers: { 'User-Agent': agent },
    })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  }
  const devices = (person: Person) =>
    sql`select device from private.known_devices where user_id = ${person.id} order by first_seen_at`

  it('from a device that is new is told of, once, and mailed when nobody looks', async () => {
    const { owner } = await createPeople('owner')
    await expect.poll(() => devices(owner)).toHaveLength(1)
    expect(await list(owner)).toEqual([])
    await signInFrom(owner, linux)
    await expect.poll(() => list(owner)).toHaveLength(1)
    await Promise.all([signInFrom(owner, linux), signInFrom(owner, linux.replace('140', '141'))])
    await signInFrom(owner, `<b>${'x'.repeat(200)}</b>`)
    await expect.poll(() => list(owner)).toHaveLength(2)
    const [odd, known] = await list(owner)
    expect(known).toMatchObject({
      title: 'New sign-in',
      message: 'Your account was signed in to from Chrome on Linux.',
      href: '/settings?tab=security',
      relatedUser: null,
      othersCount: 0,
    })
    expect(odd?.message.length).toBeLessThan(150)
    await wait(owner, '16 minutes')
    await run()
    const mail = await mailTo(owner.email, 1)
    expect(mail.subject).toBe('2 notifications on Ovation')
    expect(mail.html).not.toContain('<b>x')

    await as(owner).patch('/api/settings/notifications', OwnUser, { loginAlerts: false })
    await signInFrom(owner, linux.replace('X11; Linux x86_64', 'Windows NT 10.0'))
    await expect.poll(() => devices(owner)).toHaveLength(4)
    expect(await list(owner)).toHaveLength(2)
  })
})
