import { Count } from '@contract/common.ts'
import { ChatMessage } from '@contract/message.ts'
import { LikeAnswer, Post } from '@contract/post.ts'
import { BlockAnswer, FollowAnswer, OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as } from '../support/api.ts'
import { letWait, runMails, startTaker } from '../support/mail-job.ts'
import { mailsTo, type SmtpServer, startSmtp } from '../support/mailbox.ts'
import { startJobs } from '../support/own-api.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql, stack } from '../support/stack.ts'

const secret = 'Words that no mail may carry'

const write = (from: Person, to: Person, content = secret) =>
  as(from).post('/api/messages', ChatMessage, { receiverId: to.id, content }, 201)
const publish = async (author: Person) =>
  (await as(author).post('/api/posts', Post, { content: 'Hello' }, 201)).body.id

describe('a mail about what was left unread', () => {
  let reader: Person
  let ana: Person
  let ben: Person
  let others: Record<'off' | 'done' | 'blocker' | 'fresh' | 'broken' | 'busy', Person>
  beforeAll(async () => {
    const made = await createPeople(
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
    for (const fan of [ben, ana]) await as(fan).post(`/api/posts/${post}/like`, LikeAnswer)
    await write(ana, reader)
    await write(ana, reader)
    for (const person of [off, done, blocker, fresh, broken]) await write(ana, person)
    await as(off).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
    await as(done).post('/api/messages/mark-all-read', Count)
    await as(done).post('/api/notifications/read-all', Count)
    await as(blocker).post(`/api/users/${ana.id}/block`, BlockAnswer)
    await sql`update public.accounts set email = ${`${broken.id} is no address`} where user_id = ${broken.id}`
    for (const person of [reader, off, done, blocker, broken]) await letWait(person, '16 minutes')

    const runs = await Promise.all([runMails(), runMails(), runMails()])
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
    await runMails()
    expect(await mailsTo(broken.email)).toEqual([])
    await sql`update private.mail_marks set mailed_at = mailed_at - interval '15 minutes' where user_id = ${broken.id}`
    await runMails()
    expect((await mailsTo(broken.email)).map(({ subject }) => subject)).toEqual([
      '1 unread message on Ovation',
    ])
  })

  it('tells only of what came since, an hour later at the soonest', async () => {
    await as(ben).post(`/api/users/${reader.id}/follow`, FollowAnswer)
    await letWait(reader, '16 minutes')
    await runMails()
    expect(await mailsTo(reader.email)).toHaveLength(1)
    await letWait(reader, '45 minutes')
    await runMails()
    const [mail, ...before] = await mailsTo(reader.email)
    expect([mail?.subject, before.length]).toEqual(['1 notification on Ovation', 1])
    expect(mail?.text).toContain('Test Person started following you.')
    expect(mail?.text).not.toContain('Ana')
    await letWait(reader, '2 hours')
    await runMails()
    expect(await mailsTo(reader.email)).toHaveLength(2)
  })

  it('tells of a thread and a group that never come to rest, and of a thread once until it is read', async () => {
    const { busy } = others
    const subjects = async () => (await mailsTo(busy.email)).map(({ subject }) => subject)
    const post = await publish(busy)
    await as(ben).post(`/api/posts/${post}/like`, LikeAnswer)
    await write(ana, busy)
    await letWait(busy, '16 minutes')
    await as(ana).post(`/api/posts/${post}/like`, LikeAnswer)
    await write(ana, busy)
    await runMails()
    expect(await subjects()).toEqual(['2 unread messages and 1 notification on Ovation'])
    expect((await mailsTo(busy.email))[0]?.text).toContain('Ana & <i>Co</i> and 1 other liked your post.')
    await as(busy).post('/api/notifications/read-all', Count)
    await write(ana, busy)
    await letWait(busy, '2 hours')
    await runMails()
    expect(await subjects()).toHaveLength(1)
    await as(busy).post('/api/messages/mark-all-read', Count)
    await write(ana, busy)
    await letWait(busy, '2 hours')
    await runMails()
    expect((await subjects())[0]).toBe('1 unread message on Ovation')
  })

  it('calls by their handle whose name a mail program would make a link of', async () => {
    const { linked, dotted, initials, named, reached } = await createPeople(
      'linked',
      'dotted',
      'initials',
      'named',
      'reached',
    )
    const callThem = (person: Person, name: string) =>
      sql`update public.profiles set full_name = ${name}, first_name = null, last_name = null where id = ${person.id}`
    await callThem(linked, 'https://evil.example/login')
    await callThem(dotted, 'Team Evil.Example')
    await callThem(initials, 'J.R. Doe')
    await callThem(named, 'WWW. evil')
    const post = await publish(reached)
    await as(linked).post(`/api/posts/${post}/like`, LikeAnswer)
    for (const person of [linked, dotted, initials, named]) await write(person, reached)
    await letWait(reached, '16 minutes')
    await runMails()
    const [mail] = await mailsTo(reached.email)
    expect(mail?.text).toContain(`@${linked.username} liked your post.`)
    for (const { username } of [linked, dotted, named]) {
      expect(mail?.text).toContain(`1 unread message from @${username}\n`)
    }
    expect(mail?.text).toContain('1 unread message from J.R. Doe\n')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil/i)
  })

  it('leaves out a sign-in from a new device, which has a mail of its own', async () => {
    const { owner } = await createPeople('owner')
    await sql`select private.notify_person(${owner.id}, null, 'sign_in', said => 'Chrome on Linux')`
    await letWait(owner, '16 minutes')
    await runMails()
    expect(await mailsTo(owner.email)).toEqual([])
    await as(ben).post(`/api/users/${owner.id}/follow`, FollowAnswer)
    await letWait(owner, '16 minutes')
    await runMails()
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual(['1 notification on Ovation'])
  })

  it('says nothing of messages that were taken back', async () => {
    const { done } = others
    const { body: first } = await write(ana, done)
    await as(ana).done('DELETE', `/api/messages/${first.id}`)
    await letWait(done, '16 minutes')
    await runMails()
    expect(await mailsTo(done.email)).toEqual([])
    const { body: second } = await write(ana, done)
    await write(ana, done)
    await as(ana).done('DELETE', `/api/messages/${second.id}`)
    await letWait(done, '16 minutes')
    await runMails()
    const [mail, ...more] = await mailsTo(done.email)
    expect([mail?.subject, more]).toEqual(['1 unread message on Ovation', []])
    // All of it stays counted where it was.
    const [thread] =
      await sql`select unread_count from public.conversation_members where user_id = ${done.id}`
    expect(thread?.unread_count).toBe(3)
  })

  it('asks whether and where it is wanted again before each leaves', async () => {
    const queue = Object.values(await createPeople('a', 'b', 'c', 'd', 'e', 'f', 'g'))
    for (const person of queue) {
      await write(ana, person)
      await letWait(person, '16 minutes')
    }
    const taker = await startTaker()
    const jobs = await startJobs({ MAIL_URL: taker.url })
    try {
      const running = runMails(`${jobs.url}/jobs`)
      // As many as leave at once.
      await expect.poll(() => taker.taken.length).toBe(5)
      const [tired, moved] = queue.filter(({ email }) => !taker.taken.includes(email))
      if (!tired || !moved) throw new Error('More than five mails leave at once.')
      await as(tired).patch('/api/settings/notifications', OwnUser, { emailNotifications: false })
      await sql`update public.accounts set email = ${`new-${moved.email}`} where user_id = ${moved.id}`
      taker.goOn()
      expect(await running).toMatchObject({ on: true, failed: 0 })
      expect(taker.taken).toContain(`new-${moved.email}`)
      expect(taker.taken).not.toContain(moved.email)
      expect(taker.taken).not.toContain(tired.email)
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
      smtp = await startSmtp()
    })
    afterAll(() => smtp?.stop())

    it('leaves by SMTP where that is set; where nothing is, the job says so', async () => {
      const [own, none, odd] = await Promise.all([
        startJobs({ SMTP_URL: `${smtp.url}?from=hello@example.test`, APP_NAME: 'Encore' }),
        startJobs({}),
        startJobs({ SMTP_URL: smtp.url, APP_NAME: 'Encore\nBcc: b@example.test' }),
      ])
      try {
        const { fresh, blocker } = others
        await letWait(fresh, '16 minutes')
        expect(await runMails(`${none.url}/jobs`)).toEqual({ on: false, sent: 0, failed: 0 })
        // A subject of two lines is none, and two addresses are not one.
        expect(await runMails(`${odd.url}/jobs`)).toMatchObject({ sent: 0, failed: 1 })
        expect(smtp.told).toEqual([])
        await letWait(fresh, '16 minutes')
        await write(ben, blocker)
        await letWait(blocker, '16 minutes')
        await sql`update public.accounts set email = ${`${blocker.email},another-one@example.test`} where user_id = ${blocker.id}`
        expect(await runMails(`${own.url}/jobs`)).toMatchObject({ on: true, failed: 1 })
        expect(smtp.told.join('\n')).not.toContain('another-one@example.test')
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
        odd.stop()
      }
    })
  })
})
