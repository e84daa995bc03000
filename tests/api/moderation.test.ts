import { randomUUID } from 'node:crypto'
import { AdminCase, AdminCaseDetails, Decision, Report } from '@contract/moderation.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { createPng } from '../support/media-files.ts'
import {
  countDataApiRows,
  createModerationUsers,
  decideCases,
  decisionReason,
  getPostStatuses,
  getStatus,
  listCases,
  listNotifications,
  reportContent,
} from '../support/moderation-api.ts'
import { exhaustRateLimit, sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let boss: TestUser
let deputy: TestUser
let author: TestUser
let fan: TestUser
let second: TestUser

beforeAll(async () => {
  ;({ boss, deputy, author, fan, second } = await createModerationUsers())
})

it('a report leads to a decision that is told, an appeal, and its answer', async () => {
  const { imageUrl } = await uploadImage(author, createPng({ width: 40, height: 30 }))
  const about = await createPost(author, 'Buy this now #scam', { imageUrl })
  const { body: mine } = await reportContent(fan, 'post', about, { note: '  Look at this  ' })
  expect(mine).toMatchObject({
    kind: 'post',
    subjectId: about,
    reason: 'spam',
    note: 'Look at this',
    outcome: null,
  })
  // Again, it is the one of before.
  expect((await reportContent(fan, 'post', about, { reason: 'hate' }, 200)).body).toEqual(mine)
  await apiAs(author).patch(`/api/posts/${about}`, Post, { content: 'Nothing to see here' })
  await reportContent(second, 'post', about, { reason: 'illegal' })

  const [waiting, ...others] = await listCases(boss, author, '&state=open&kind=post&limit=1')
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
  await apiAs(author).patch(`/api/posts/${about}`, Post, { content: 'Nothing at all' })
  const { body: details } = await apiAs(deputy).get(`/api/admin/cases/${id}`, AdminCaseDetails)
  expect(details.since).toBe('changed')
  expect(details.reportList.map(({ reporter, reason, note }) => [reporter?.id, reason, note])).toEqual([
    [second.id, 'illegal', null],
    [fan.id, 'spam', 'Look at this'],
  ])
  expect(await getStatus(boss, imageUrl)).toBe(200)

  expect(await decideCases(boss, [id], { decision: 'hide', reason: decisionReason })).toEqual({
    decided: [id],
    failed: [],
  })
  expect(await getPostStatuses([author, fan, boss, null], about)).toEqual([200, 404, 404, 404])
  expect((await apiAs(boss).get(`/api/admin/cases/${id}`, AdminCaseDetails)).body).toMatchObject({
    hidden: true,
    since: 'same',
  })
  expect((await apiAs(author).get(`/api/posts/${about}`, Post)).body).toMatchObject({ hidden: true })
  const rows = (who: TestUser, table: string, column: string) =>
    countDataApiRows(who, `${table}?select=id&${column}=eq.${about}`)
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
  expect([await getStatus(author, imageUrl), await getStatus(boss, imageUrl)]).toEqual([200, 200])
  expect([await getStatus(fan, imageUrl), await getStatus(null, imageUrl)]).toEqual([404, 404])
  expect(
    (await apiAs(author).expectError('PATCH', `/api/posts/${about}`, 403, { body: { content: 'x' } }))
      .message,
  ).toBe('This post was hidden by the moderators: it cannot be edited.')
  expect((await apiAs(fan).get('/api/user/reports', z.array(Report))).body).toMatchObject([
    { id: mine.id, outcome: 'acted', decidedAt: expect.any(String) },
  ])
  expect(await listNotifications(fan, 'report')).toEqual([
    {
      title: 'Your report',
      message: 'We looked at what you reported, and acted. Thank you.',
      href: '/safety?tab=reports',
    },
  ])
  expect(await listNotifications(author, 'moderation')).toEqual([
    {
      title: 'From the moderators',
      message: `Your post was hidden: ${decisionReason}`,
      href: '/safety?tab=decisions',
    },
  ])

  const { body: told } = await apiAs(author).get('/api/user/decisions', z.array(Decision))
  // As it was when it was decided.
  expect(told).toMatchObject([
    { id, decision: 'hide', reason: decisionReason, excerpt: 'Nothing at all', appeal: null },
  ])
  const days = (Date.parse(told[0]?.mayAppealUntil ?? '') - Date.parse(told[0]?.decidedAt ?? '')) / 86_400_000
  expect(days).toBeCloseTo(30, 3)
  const path = `/api/user/decisions/${id}/appeal`
  expect((await apiAs(author).expectError('POST', path, 400, { body: { text: ' ' } })).errors).toHaveProperty(
    'text',
  )
  for (const who of [fan, boss])
    await apiAs(who).expectError('POST', path, 404, { body: { text: 'Not mine' } })
  expect((await apiAs(author).post(path, Decision, { text: ' It was a joke ' })).body).toMatchObject({
    appeal: 'It was a joke',
    mayAppealUntil: null,
  })
  expect(await apiAs(author).expectError('POST', path, 409, { body: { text: 'Again' } })).toMatchObject({
    message: 'You have appealed against this already.',
  })

  for (const [admin, mayAnswer] of [
    [boss, false],
    [deputy, true],
  ] as const) {
    expect(await listCases(admin, author, '&state=appealed')).toMatchObject([{ id, mayAnswer }])
  }
  const answerPath = `/api/admin/cases/${id}/appeal`
  const granted = { outcome: 'overturned', answer: 'It was a joke indeed' }
  expect((await apiAs(boss).expectError('POST', answerPath, 403, { body: granted })).message).toBe(
    'Another admin has to answer this appeal.',
  )
  expect((await apiAs(deputy).post(answerPath, AdminCase, granted)).body).toMatchObject({
    state: 'closed',
    appealOutcome: 'overturned',
    decidedBy: { id: boss.id },
    appealDecidedBy: { id: deputy.id },
  })
  await apiAs(deputy).expectError('POST', answerPath, 409, { body: granted })
  expect(await getPostStatuses([author, fan, null], about)).toEqual([200, 200, 200])
  expect((await listNotifications(author, 'moderation'))[0]?.message).toBe(
    'Your appeal was granted: It was a joke indeed',
  )
  expect((await apiAs(author).get('/api/user/decisions', z.array(Decision))).body).toMatchObject([
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
    const about = await createPost(author, 'Mine')
    const refused = (who: TestUser | null, status: number, body: unknown) =>
      apiAs(who).expectError('POST', '/api/reports', status, { body })
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
    const shy = await createUser()
    await sql`update public.profiles set visibility = 'private' where id = ${shy.id}`
    await refused(fan, 404, { ...good, id: await createPost(shy, 'For nobody') })
    await exhaustRateLimit('reports', shy.id, 30, '1 hour')
    await refused(shy, 429, good)
    expect(await listCases(boss, author, '&state=open')).toEqual([])
  })

  it('that is dismissed is told to who made it, and to nobody else', async () => {
    const { poster } = await createUsers('poster')
    const on = await createPost(poster, 'Quite all right')
    await reportContent(second, 'post', on)
    const [held] = await listCases(boss, poster)
    expect(await decideCases(boss, [held?.id ?? ''], { decision: 'dismiss' })).toMatchObject({ failed: [] })
    expect((await listNotifications(second, 'report'))[0]?.message).toBe(
      'We looked at what you reported, and found that it may stay.',
    )
    expect([
      await listNotifications(poster, 'moderation'),
      (await apiAs(poster).get('/api/user/decisions', z.array(Decision))).body,
    ]).toEqual([[], []])
    await apiAs(poster).expectError('POST', `/api/user/decisions/${held?.id}/appeal`, 404, {
      body: { text: 'x' },
    })
    expect(await getPostStatuses([fan], on)).toEqual([200])
    // Nor does the log say so.
    expect([
      await countDataApiRows(poster, 'audit_entries?select=id'),
      await countDataApiRows(boss, `audit_entries?subject=eq.${held?.id}`),
    ]).toEqual([0, 1])
  })
})
