import { randomUUID } from 'node:crypto'
import { AdminCase, AdminCaseDetails, Decision, Report } from '@contract/moderation.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inTime } from '../../supabase/functions/_shared/moderation/in-time.ts'
import { as } from '../support/api.ts'
import { mailsTo, mailTo } from '../support/mailbox.ts'
import { picture, uploadPicture } from '../support/media.ts'
import {
  casesOf,
  decide,
  moderate,
  moderated,
  news,
  publish,
  readPost,
  reason,
  remark,
  report,
  restOf,
  statusOf,
} from '../support/moderating.ts'
import { createPeople, createPerson, type Person } from '../support/people.ts'
import { sql, useUp } from '../support/stack.ts'

let boss: Person
let deputy: Person
let author: Person
let fan: Person
let second: Person

beforeAll(async () => {
  ;({ boss, deputy, author, fan, second } = await moderated())
})

it('a report leads to a decision that is told, an appeal, and its answer', async () => {
  const { imageUrl } = await uploadPicture(author, picture({ width: 40, height: 30 }))
  const about = await publish(author, 'Buy this now #scam', { imageUrl })
  const { body: mine } = await report(fan, 'post', about, { note: '  Look at this  ' })
  expect(mine).toMatchObject({
    kind: 'post',
    subjectId: about,
    reason: 'spam',
    note: 'Look at this',
    outcome: null,
  })
  // Again, it is the one of before.
  expect((await report(fan, 'post', about, { reason: 'hate' }, 200)).body).toEqual(mine)
  await as(author).patch(`/api/posts/${about}`, Post, { content: 'Nothing to see here' })
  await report(second, 'post', about, { reason: 'illegal' })

  const [waiting, ...others] = await casesOf(boss, author, '&state=open&kind=post&limit=1')
  expect(others).toEqual([])
  expect(waiting).toMatchObject({
    subjectId: about,
    state: 'open',
    since: 'same',
    hidden: false,
    mayAnswer: false,
    reports: 2,
    reasons: [
      { reason: 'illegal', count: 1 },
      { reason: 'spam', count: 1 },
    ],
    person: { id: author.id },
    priorDecisions: 0,
    decidedBy: null,
  })
  expect(waiting?.snapshots.map(({ seen }) => seen.content)).toEqual([
    'Buy this now #scam',
    'Nothing to see here',
  ])
  const id = waiting?.id ?? ''
  await as(author).patch(`/api/posts/${about}`, Post, { content: 'Nothing at all' })
  const { body: details } = await as(deputy).get(`/api/admin/cases/${id}`, AdminCaseDetails)
  expect(details.since).toBe('changed')
  expect(details.reportList.map(({ reporter, reason, note }) => [reporter?.id, reason, note])).toEqual([
    [second.id, 'illegal', null],
    [fan.id, 'spam', 'Look at this'],
  ])
  expect(await statusOf(boss, imageUrl)).toBe(200)

  expect(await decide(boss, [id], { decision: 'hide', reason })).toEqual({ decided: [id], failed: [] })
  expect(await readPost([author, fan, boss, null], about)).toEqual([200, 404, 404, 404])
  expect((await as(boss).get(`/api/admin/cases/${id}`, AdminCaseDetails)).body).toMatchObject({
    hidden: true,
    since: 'same',
  })
  expect((await as(author).get(`/api/posts/${about}`, Post)).body).toMatchObject({ hidden: true })
  const rows = (who: Person, table: string, column: string) =>
    restOf(who, `${table}?select=id&${column}=eq.${about}`)
  for (const [who, ...found] of [
    [author, 1, 1, 0],
    [fan, 0, 0, 1],
    [boss, 0, 1, 2],
  ] as const) {
    expect([
      await rows(who, 'posts', 'id'),
      await rows(who, 'moderation_cases', 'subject_id'),
      await rows(who, 'reports', 'subject_id'),
    ]).toEqual(found)
  }
  expect([await statusOf(author, imageUrl), await statusOf(boss, imageUrl)]).toEqual([200, 200])
  expect([await statusOf(fan, imageUrl), await statusOf(null, imageUrl)]).toEqual([404, 404])
  expect(
    (await as(author).refused('PATCH', `/api/posts/${about}`, 403, { body: { content: 'x' } })).message,
  ).toBe('This post was hidden by the moderators: it cannot be edited.')
  expect((await as(fan).get('/api/user/reports', z.array(Report))).body).toMatchObject([
    { id: mine.id, outcome: 'acted', decidedAt: expect.any(String) },
  ])
  expect(await news(fan, 'report')).toEqual([
    {
      title: 'Your report',
      message: 'We looked at what you reported, and acted. Thank you.',
      href: '/safety?tab=reports',
    },
  ])
  expect(await news(author, 'moderation')).toEqual([
    {
      title: 'From the moderators',
      message: `Your post was hidden: ${reason}`,
      href: '/safety?tab=decisions',
    },
  ])

  const { body: told } = await as(author).get('/api/user/decisions', z.array(Decision))
  // As it was when it was decided.
  expect(told).toMatchObject([{ id, decision: 'hide', reason, excerpt: 'Nothing at all', appeal: null }])
  const days = (Date.parse(told[0]?.mayAppealUntil ?? '') - Date.parse(told[0]?.decidedAt ?? '')) / 86_400_000
  expect(days).toBeCloseTo(30, 3)
  const path = `/api/user/decisions/${id}/appeal`
  expect((await as(author).refused('POST', path, 400, { body: { text: ' ' } })).errors).toHaveProperty('text')
  for (const who of [fan, boss]) await as(who).refused('POST', path, 404, { body: { text: 'Not mine' } })
  expect((await as(author).post(path, Decision, { text: ' It was a joke ' })).body).toMatchObject({
    appeal: 'It was a joke',
    mayAppealUntil: null,
  })
  expect(await as(author).refused('POST', path, 409, { body: { text: 'Again' } })).toMatchObject({
    message: 'You have appealed against this already.',
  })

  for (const [admin, mayAnswer] of [
    [boss, false],
    [deputy, true],
  ] as const) {
    expect(await casesOf(admin, author, '&state=appealed')).toMatchObject([{ id, mayAnswer }])
  }
  const answerPath = `/api/admin/cases/${id}/appeal`
  const granted = { outcome: 'overturned', answer: 'It was a joke indeed' }
  expect((await as(boss).refused('POST', answerPath, 403, { body: granted })).message).toBe(
    'Another admin has to answer this appeal.',
  )
  expect((await as(deputy).post(answerPath, AdminCase, granted)).body).toMatchObject({
    state: 'closed',
    appealOutcome: 'overturned',
    decidedBy: { id: boss.id },
    appealDecidedBy: { id: deputy.id },
  })
  await as(deputy).refused('POST', answerPath, 409, { body: granted })
  expect(await readPost([author, fan, null], about)).toEqual([200, 200, 200])
  expect((await news(author, 'moderation'))[0]?.message).toBe('Your appeal was granted: It was a joke indeed')
  expect((await as(author).get('/api/user/decisions', z.array(Decision))).body).toMatchObject([
    { id, appealOutcome: 'overturned', appealAnswer: 'It was a joke indeed' },
  ])
  const log = await sql<{ action: string; actor: string }[]>`
    select action, actor_id as actor from public.audit_entries where subject = ${id} order by id`
  expect(log.map(({ action, actor }) => [action, actor])).toEqual([
    ['case.hide', boss.id],
    ['appeal.grant', deputy.id],
  ])
})

describe('a report', () => {
  it('is refused for what is the caller’s own, unseen, unknown or without a reason, and without end', async () => {
    const about = await publish(author, 'Mine')
    const refused = (who: Person | null, status: number, body: unknown) =>
      as(who).refused('POST', '/api/reports', status, { body })
    const good = { kind: 'post', id: about, reason: 'other' }
    await refused(null, 401, good)
    expect((await refused(author, 400, good)).message).toBe('This is your own.')
    expect((await refused(fan, 400, { ...good, reason: 'boring' })).errors).toEqual({
      reason: ['Please choose a reason.'],
    })
    for (const wrong of [
      {},
      { ...good, kind: 'story' },
      { ...good, note: 'x'.repeat(1001) },
      { ...good, more: 1 },
    ]) {
      await refused(fan, 400, wrong)
    }
    expect((await refused(fan, 404, { ...good, id: randomUUID() })).message).toBe('Post not found')
    const shy = await createPerson()
    await sql`update public.profiles set visibility = 'private' where id = ${shy.id}`
    await refused(fan, 404, { ...good, id: await publish(shy, 'For nobody') })
    await useUp('reports', shy.id, 30, '1 hour')
    await refused(shy, 429, good)
    expect(await casesOf(boss, author, '&state=open')).toEqual([])
  })

  it('that is dismissed is told to who made it, and to nobody else', async () => {
    const { poster } = await createPeople('poster')
    const on = await publish(poster, 'Quite all right')
    await report(second, 'post', on)
    const [held] = await casesOf(boss, poster)
    expect(await decide(boss, [held?.id ?? ''], { decision: 'dismiss' })).toMatchObject({ failed: [] })
    expect((await news(second, 'report'))[0]?.message).toBe(
      'We looked at what you reported, and found that it may stay.',
    )
    expect([
      await news(poster, 'moderation'),
      (await as(poster).get('/api/user/decisions', z.array(Decision))).body,
    ]).toEqual([[], []])
    await as(poster).refused('POST', `/api/user/decisions/${held?.id}/appeal`, 404, { body: { text: 'x' } })
    expect(await readPost([fan], on)).toEqual([200])
    // Nor does the log say so.
    expect([
      await restOf(poster, 'audit_entries?select=id'),
      await restOf(boss, `audit_entries?subject=eq.${held?.id}`),
    ]).toEqual([0, 1])
  })
})

describe('cases', () => {
  it('stay about what was reported: its id is nobody’s again', async () => {
    const { poster, other } = await createPeople('poster', 'other')
    const on = await publish(poster, 'Something rude')
    const said = await remark(poster, on, 'And again')
    await report(fan, 'post', on)
    await report(fan, 'comment', said)
    await as(poster).done('DELETE', `/api/comments/${said}`)
    await as(poster).done('DELETE', `/api/posts/${on}`)
    const next = await publish(other, 'Quite all right')
    for (const who of [other, poster]) {
      await as(who).refused('POST', '/api/posts', 409, { body: { id: on, content: 'Innocent' } })
      await as(who).refused('POST', `/api/posts/${next}/comments`, 409, { body: { id: said, content: 'Me' } })
    }
    await as(fan).refused('POST', '/api/reports', 404, { body: { kind: 'post', id: on, reason: 'spam' } })
    expect((await casesOf(boss, other)).length).toBe(0)
  })

  it('are for admins: visitors hear 401 and everybody else 403, whatever they send', async () => {
    const calls: ['GET' | 'POST', string][] = [
      ['GET', '/api/admin/cases'],
      ['GET', '/api/admin/cases?state=nonsense'],
      ['GET', `/api/admin/cases/${randomUUID()}`],
      ['GET', '/api/admin/cases/nonsense'],
      ['POST', '/api/admin/cases/decide'],
      ['POST', `/api/admin/cases/${randomUUID()}/appeal`],
      ['POST', '/api/admin/moderate'],
    ]
    const right = { ids: [randomUUID()], decision: { decision: 'warn', reason } }
    for (const [method, path] of calls) {
      for (const body of method === 'GET' ? [undefined] : [{}, right]) {
        await as(null).refused(method, path, 401, body ? { body } : {})
        for (const who of [fan, author]) await as(who).refused(method, path, 403, body ? { body } : {})
      }
    }
    await as(boss).refused('GET', `/api/admin/cases/${randomUUID()}`, 404)
    await as(boss).refused('POST', '/api/admin/cases/decide', 400, { body: { ...right, ids: [] } })
    await as(boss).refused('POST', '/api/admin/moderate', 400, {
      body: { kind: 'post', id: randomUUID(), decision: { decision: 'hide' } },
    })
  })

  it('are decided alike and each by itself: one that fails stops no other', async () => {
    const { poster } = await createPeople('poster')
    const posts = [
      await publish(poster, 'One'),
      await publish(poster, 'Two'),
      await publish(boss, 'Of an admin'),
    ]
    for (const id of posts) await report(fan, 'post', id)
    await report(second, 'post', posts[0] ?? '')
    const [one, two] = await casesOf(boss, poster, '&state=open')
    const [own] = await casesOf(boss, boss, '&state=open')
    const [ofOne, ofTwo, ofBoss, unknown] = [one?.id ?? '', two?.id ?? '', own?.id ?? '', randomUUID()]
    // The last moved first, page by page.
    expect((await casesOf(boss, poster, '&limit=1')).map(({ subjectId }) => subjectId)).toEqual([
      posts[0],
      posts[1],
    ])
    await decide(deputy, [ofTwo], { decision: 'dismiss' })
    const answer = await decide(boss, [ofOne, ofOne, ofTwo, ofBoss, unknown], { decision: 'warn', reason })
    expect(answer).toEqual({
      decided: [ofOne],
      failed: [
        { id: ofTwo, message: 'This case was decided already.' },
        { id: ofBoss, message: 'Another admin has to decide about you.' },
        { id: unknown, message: 'Case not found' },
      ],
    })
    await decide(deputy, [ofBoss], { decision: 'hide', reason })
    expect(
      (await casesOf(boss, poster)).map(({ decision, priorDecisions }) => [decision, priorDecisions]),
    ).toEqual([
      ['warn', 0],
      ['dismiss', 0],
    ])
    // Straight at the thing, it is one more.
    expect(await moderate(boss, 'post', posts[1] ?? '', { decision: 'hide', reason })).toMatchObject({
      reports: 0,
      priorDecisions: 1,
      decision: 'hide',
      since: 'same',
      hidden: true,
    })
    await as(boss).refused('POST', '/api/admin/moderate', 404, {
      body: { kind: 'post', id: posts[1], decision: { decision: 'hide', reason } },
    })
    for (const [kind, id, decision, code] of [
      ['user', poster.id, 'hide', 'validation_failed'],
      ['user', deputy.id, 'remove', 'target_is_admin'],
      ['user', boss.id, 'warn', 'target_is_admin'],
    ] as const) {
      const body = { kind, id, decision: { decision, reason } }
      expect(
        (
          await as(boss).refused('POST', '/api/admin/moderate', code === 'target_is_admin' ? 403 : 400, {
            body,
          })
        ).code,
      ).toBe(code)
    }
  })

  it('that there is no time for are not begun, and named', async () => {
    let now = 1000
    const begun: [string, number][] = []
    const takes: Record<string, number> = { quick: 30, slow: 900, late: 66 }
    const late = await inTime(
      ['quick', 'slow', 'late', 'never', 'nor this'],
      { all: 1000, least: 5, now: () => now },
      async (one, left) => {
        begun.push([one, left])
        now += takes[one] ?? 0
      },
    )
    expect(begun).toEqual([
      ['quick', 1000],
      ['slow', 970],
      ['late', 70],
    ])
    expect(late).toEqual(['never', 'nor this'])
  })

  it('straight at a thing are made once, however often they are sent', async () => {
    const { poster } = await createPeople('poster')
    const on = await publish(poster, 'Loud words')
    const requestId = randomUUID()
    const said = { requestId, kind: 'post', id: on, decision: { decision: 'warn', reason } }
    const send = async (who: Person, body: unknown) =>
      (await as(who).post('/api/admin/moderate', AdminCase, body)).body
    // Twice at once, and again later.
    const [first, twin] = await Promise.all([send(boss, said), send(boss, said)])
    expect(twin).toEqual(first)
    expect(await send(boss, said)).toEqual(first)
    expect((await casesOf(boss, poster)).map(({ id }) => id)).toEqual([first.id])
    expect(await news(poster, 'moderation')).toHaveLength(1)
    const deeds = () => sql`
      select from public.audit_entries where target_id = ${poster.id} and action = 'case.warn'`
    expect(await deeds()).toHaveLength(1)
    // The same id for something else is no repetition; without one, or from another admin, it is one more.
    for (const other of [
      { id: await publish(poster, 'More') },
      { decision: { decision: 'hide', reason } },
      { decision: { decision: 'warn', reason: 'Something else.' } },
    ])
      await as(boss).refused('POST', '/api/admin/moderate', 409, { body: { ...said, ...other } })
    await send(deputy, said)
    await send(boss, { ...said, requestId: undefined })
    expect(await deeds()).toHaveLength(3)

    // What is out of sight by then, and accounts that are gone, are answered all the same.
    const gone = { ...said, requestId: randomUUID(), decision: { decision: 'remove', reason } }
    expect(await send(boss, gone)).toEqual(await send(boss, gone))
    const account = { ...gone, requestId: randomUUID(), kind: 'user', id: poster.id }
    const removed = await send(boss, account)
    expect(removed).toMatchObject({ decision: 'remove', person: null })
    expect(await send(boss, account)).toEqual(removed)
    const subject = 'Your account was removed'
    await mailTo(poster.email, 1, subject)
    expect((await mailsTo(poster.email)).filter((mail) => mail.subject === subject)).toHaveLength(1)
  })

  it('that remove a person write to them why, and keep what was reported without their name', async () => {
    const { gone } = await createPeople('gone')
    await report(fan, 'user', gone.id, { reason: 'impersonation' })
    const [held] = await casesOf(boss, gone)
    expect(held?.snapshots[0]?.seen).toMatchObject({ username: gone.username })
    expect(
      await decide(boss, [held?.id ?? ''], { decision: 'remove', reason: 'You are somebody else' }),
    ).toMatchObject({
      failed: [],
    })
    const mail = await mailTo(gone.email, 1, 'Your account was removed')
    expect(mail.text).toContain('Why: You are somebody else')
    await as(gone).refused('GET', '/api/auth/user', 401)
    expect((await as(boss).get(`/api/admin/cases/${held?.id}`, AdminCaseDetails)).body).toMatchObject({
      person: null,
      snapshots: [],
      decision: 'remove',
      since: 'gone',
    })
  })
})
