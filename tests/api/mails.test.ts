import { Count } from '@contract/common.ts'
import { ChatMessage } from '@contract/message.ts'
import { LikeResponse, Post } from '@contract/post.ts'
import { BlockResponse, FollowResponse, OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { startJobsServer } from '../support/function-server.ts'
import {
  ageUnread,
  fetchMails,
  runMailsJob,
  type SmtpServer,
  startMailReceiver,
  startSmtpServer,
} from '../support/mail.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const secret = 'Words that no mail may carry'

const write = (from: TestUser, to: TestUser, content = secret) =>
  apiAs(from).post('/api/messages', ChatMessage, { receiverId: to.id, content }, 201)
const publish = async (author: TestUser) =>
  (await apiAs(author).post('/api/posts', Post, { content: 'Hello' }, 201)).body.id

describe('a mail about what was left unread', () => {
  let reader: TestUser
  let ana: TestUser
  let ben: TestUser
  let others: Record<'off' | 'done' | 'blocker' | 'fresh' | 'broken' | 'busy', TestUser>
  beforeAll(async () => {
    const made = await createUsers(
      'reader',
      'ana',
      'ben',
      'off',
      'done',
      'blocker',
      'fresh',
      'broken',
      'busy',
    )
    ;({ reader, ana, ben, ...others } = made)
    await sql`update public.profiles set first_name = 'Ana & <i>Co</i>', last_name = null where id = ${ana.id}`
  })

  it('goes once to each who wants it, whoever calls, and however often', async () => {
    const { off, done, blocker, fresh, broken } = others
    const post = await publish(reader)
    for (const fan of [ben, ana]) await apiAs(fan).post(`/api/posts/${post}/like`, LikeResponse)
    await write(ana, reader)
    await write(ana, reader)
    for (const person of [off, done, blocker, fresh, broken]) await write(ana, person)
    await apiAs(off).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
    await apiAs(done).post('/api/messages/mark-all-read', Count)
    await apiAs(done).post('/api/notifications/read-all', Count)
    await apiAs(blocker).post(`/api/users/${ana.id}/block`, BlockResponse)
    await sql`update public.accounts set email = ${`${broken.id} is no address`} where user_id = ${broken.id}`
    for (const person of [reader, off, done, blocker, broken]) await ageUnread(person, '16 minutes')

    const runs = await Promise.all([runMailsJob(), runMailsJob(), runMailsJob()])
    expect(runs.every(({ on }) => on)).toBe(true)
    expect(runs.reduce((sum, { failed }) => sum + failed, 0)).toBe(1)
    const [mail, ...more] = await fetchMails(reader.email)
    expect([mail?.subject, more]).toEqual(['2 unread messages and 1 notification on Ovation', []])
    const link = (path: string) => `${stack.apiUrl}${path}`
    expect(mail?.text.split('\n\n')).toEqual([
      'While you were away',
      `2 unread messages from Ana & <i>Co</i>\n${link(`/messages?user=${ana.id}`)}`,
      `Ana & <i>Co</i> and 1 other liked your post.\n${link(`/post/${post}`)}`,
      `Open Ovation\n${link('/messages')}`,
      "You're receiving this email because you have unread activity on Ovation.",
      `Turn off these emails\n${link('/settings?tab=notifications')}`,
    ])
    expect(mail?.html).toContain('from Ana &#38; &#60;i&#62;Co&#60;/i&#62;</a>')
    expect(`${mail?.html}${mail?.text}`).not.toContain(secret)
    expect(mail?.html).not.toMatch(/<img|<script/)
    for (const person of [off, done, blocker, fresh, broken])
      expect(await fetchMails(person.email)).toEqual([])

    // What could not be sent is tried again, and is not lost.
    await sql`update public.accounts set email = ${broken.email} where user_id = ${broken.id}`
    await runMailsJob()
    expect(await fetchMails(broken.email)).toEqual([])
    await sql`update private.mail_marks set mailed_at = mailed_at - interval '15 minutes' where user_id = ${broken.id}`
    await runMailsJob()
    expect((await fetchMails(broken.email)).map(({ subject }) => subject)).toEqual([
      '1 unread message on Ovation',
    ])
  })

  it('tells only of what came since, an hour later at the soonest', async () => {
    await apiAs(ben).post(`/api/users/${reader.id}/follow`, FollowResponse)
    await ageUnread(reader, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(reader.email)).toHaveLength(1)
    await ageUnread(reader, '45 minutes')
    await runMailsJob()
    const [mail, ...before] = await fetchMails(reader.email)
    expect([mail?.subject, before.length]).toEqual(['1 notification on Ovation', 1])
    expect(mail?.text).toContain('Test Person started following you.')
    expect(mail?.text).not.toContain('Ana')
    await ageUnread(reader, '2 hours')
    await runMailsJob()
    expect(await fetchMails(reader.email)).toHaveLength(2)
  })

  it('tells of a thread and a group that never come to rest, and of a thread once until it is read', async () => {
    const { busy } = others
    const subjects = async () => (await fetchMails(busy.email)).map(({ subject }) => subject)
    const post = await publish(busy)
    await apiAs(ben).post(`/api/posts/${post}/like`, LikeResponse)
    await write(ana, busy)
    await ageUnread(busy, '16 minutes')
    await apiAs(ana).post(`/api/posts/${post}/like`, LikeResponse)
    await write(ana, busy)
    await runMailsJob()
    expect(await subjects()).toEqual(['2 unread messages and 1 notification on Ovation'])
    expect((await fetchMails(busy.email))[0]?.text).toContain('Ana & <i>Co</i> and 1 other liked your post.')
    await apiAs(busy).post('/api/notifications/read-all', Count)
    await write(ana, busy)
    await ageUnread(busy, '2 hours')
    await runMailsJob()
    expect(await subjects()).toHaveLength(1)
    await apiAs(busy).post('/api/messages/mark-all-read', Count)
    await write(ana, busy)
    await ageUnread(busy, '2 hours')
    await runMailsJob()
    expect((await subjects())[0]).toBe('1 unread message on Ovation')
  })

  it('calls by their handle whose name a mail program would make a link of', async () => {
    const { linked, dotted, initials, named, reached } = await createUsers(
      'linked',
      'dotted',
      'initials',
      'named',
      'reached',
    )
    const callThem = (person: TestUser, name: string) =>
      sql`update public.profiles set full_name = ${name}, first_name = null, last_name = null where id = ${person.id}`
    await callThem(linked, 'https://evil.example/login')
    await callThem(dotted, 'Team Evil.Example')
    await callThem(initials, 'J.R. Doe')
    await callThem(named, 'WWW. evil')
    const post = await publish(reached)
    await apiAs(linked).post(`/api/posts/${post}/like`, LikeResponse)
    for (const person of [linked, dotted, initials, named]) await write(person, reached)
    await ageUnread(reached, '16 minutes')
    await runMailsJob()
    const [mail] = await fetchMails(reached.email)
    expect(mail?.text).toContain(`@${linked.username} liked your post.`)
    for (const { username } of [linked, dotted, named]) {
      expect(mail?.text).toContain(`1 unread message from @${username}\n`)
    }
    expect(mail?.text).toContain('1 unread message from J.R. Doe\n')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil/i)
  })

  it('leaves out a sign-in from a new device, which has a mail of its own', async () => {
    const { owner } = await createUsers('owner')
    await sql`select private.notify_person(${owner.id}, null, 'sign_in', said => 'Chrome on Linux')`
    await ageUnread(owner, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(owner.email)).toEqual([])
    await apiAs(ben).post(`/api/users/${owner.id}/follow`, FollowResponse)
    await ageUnread(owner, '16 minutes')
    await runMailsJob()
    expect((await fetchMails(owner.email)).map(({ subject }) => subject)).toEqual([
      '1 notification on Ovation',
    ])
  })

  it('says nothing of messages that were taken back', async () => {
    const { done } = others
    const { body: first } = await write(ana, done)
    await apiAs(ana).expectNoContent('DELETE', `/api/messages/${first.id}`)
    await ageUnread(done, '16 minutes')
    await runMailsJob()
    expect(await fetchMails(done.email)).toEqual([])
    const { body: second } = await write(ana, done)
    await write(ana, done)
    await apiAs(ana).expectNoContent('DELETE', `/api/messages/${second.id}`)
    await ageUnread(done, '16 minutes')
    await runMailsJob()
    const [mail, ...more] = await fetchMails(done.email)
    expect([mail?.subject, more]).toEqual(['1 unread message on Ovation', []])
    // All of it stays counted where it was.
    const [thread] =
      await sql`select unread_count from public.conversation_members where user_id = ${done.id}`
    expect(thread?.unread_count).toBe(3)
  })

  it('asks whether and where it is wanted again before each leaves', async () => {
    const queue = Object.values(await createUsers('a', 'b', 'c', 'd', 'e', 'f', 'g'))
    for (const person of queue) {
      await write(ana, person)
      await ageUnread(person, '16 minutes')
    }
    const taker = await startMailReceiver()
    const jobs = await startJobsServer({ MAIL_URL: taker.url })
    try {
      const running = runMailsJob(`${jobs.url}/jobs`)
      // As many as leave at once.
      await expect.poll(() => taker.recipients.length).toBe(5)
      const [tired, moved] = queue.filter(({ email }) => !taker.recipients.includes(email))
      if (!tired || !moved) throw new Error('More than five mails leave at once.')
      await apiAs(tired).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
      await sql`update public.accounts set email = ${`new-${moved.email}`} where user_id = ${moved.id}`
      taker.respond()
      expect(await running).toMatchObject({ on: true, failed: 0 })
      expect(taker.recipients).toContain(`new-${moved.email}`)
      expect(taker.recipients).not.toContain(moved.email)
      expect(taker.recipients).not.toContain(tired.email)
    } finally {
      taker.stop()
      jobs.stop()
    }
  })

  it('is for the schedule to send', async () => {
    const response = await fetch(`${stack.jobsUrl}/mails`, { method: 'POST' })
    expect(response.status).toBe(401)
  })

  describe('by a function of its own', () => {
    let smtp: SmtpServer
    beforeAll(async () => {
      smtp = await startSmtpServer()
    })
    afterAll(() => smtp?.stop())

    it('leaves by SMTP where that is set; where nothing is, the job says so', async () => {
      const [own, none, odd] = await Promise.all([
        startJobsServer({ SMTP_URL: `${smtp.url}?from=hello@example.test`, APP_NAME: 'Encore' }),
        startJobsServer({}),
        startJobsServer({ SMTP_URL: smtp.url, APP_NAME: 'Encore\nBcc: b@example.test' }),
      ])
      try {
        const { fresh, blocker } = others
        await ageUnread(fresh, '16 minutes')
        expect(await runMailsJob(`${none.url}/jobs`)).toEqual({ on: false, sent: 0, failed: 0 })
        // A subject of two lines is none, and two addresses are not one.
        expect(await runMailsJob(`${odd.url}/jobs`)).toMatchObject({ sent: 0, failed: 1 })
        expect(smtp.transcript).toEqual([])
        await ageUnread(fresh, '16 minutes')
        await write(ben, blocker)
        await ageUnread(blocker, '16 minutes')
        await sql`update public.accounts set email = ${`${blocker.email},another-one@example.test`} where user_id = ${blocker.id}`
        expect(await runMailsJob(`${own.url}/jobs`)).toMatchObject({ on: true, failed: 1 })
        expect(smtp.transcript.join('\n')).not.toContain('another-one@example.test')
        expect(smtp.transcript).toContain('MAIL FROM:<hello@example.test>')
        expect(smtp.transcript.filter((line) => line === `RCPT TO:<${fresh.email}>`)).toHaveLength(1)
        expect(smtp.transcript).toContain('From: Encore <hello@example.test>')
        expect(smtp.transcript.join('\n')).toContain(
          `List-Unsubscribe: <${stack.apiUrl}/settings?tab=notifications>`,
        )
        expect(smtp.transcript).toContain('Subject: 1 unread message on Encore')
        expect(await fetchMails(fresh.email)).toEqual([])
      } finally {
        own.stop()
        none.stop()
        odd.stop()
      }
    })
  })
})
