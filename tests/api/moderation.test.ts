import { randomUUID } from 'node:crypto'
import { AdminCase, AdminCaseDetails, Decision, Report } from '@contract/moderation.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, getStatus } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import {
  countDataApiRows,
  createModerationUsers,
  decideCases,
  decisionReason,
  getPostStatuses,
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
let secondFan: TestUser

beforeAll(async () => {
  ;({ boss, deputy, author, fan, secondFan } = await createModerationUsers())
})

it('a report leads to a decision, notifications, an appeal and its outcome', async () => {
  const { imageUrl } = await uploadImage(author)
  const { id: postId } = await createPost(author, { content: 'Buy this now #scam', imageUrl })
  const { body: report } = await reportContent(fan, 'post', postId, { note: '  Look at this  ' })
  expect(report).toMatchObject({
    kind: 'post',
    subjectId: postId,
    reason: 'spam',
    note: 'Look at this',
    outcome: null,
  })
  // Reporting again returns the existing report.
  expect((await reportContent(fan, 'post', postId, { reason: 'hate' }, 200)).body).toEqual(report)
  await apiAs(author).patch(`/api/posts/${postId}`, Post, { content: 'Nothing to see here' })
  await reportContent(secondFan, 'post', postId, { reason: 'illegal' })

  const [openCase, ...others] = await listCases(boss, author, '&state=open&kind=post&limit=1')
  expect(others).toEqual([])
  expect(openCase).toMatchObject({
    subjectId: postId,
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
  expect(openCase?.snapshots.map(({ seen }) => seen.content)).toEqual([
    'Buy this now #scam',
    'Nothing to see here',
  ])
  const id = openCase?.id ?? ''
  await apiAs(author).patch(`/api/posts/${postId}`, Post, { content: 'Nothing at all' })
  const { body: details } = await apiAs(deputy).get(`/api/admin/cases/${id}`, AdminCaseDetails)
  expect(details.since).toBe('changed')
  expect(details.reportList.map(({ reporter, reason, note }) => [reporter?.id, reason, note])).toEqual([
    [secondFan.id, 'illegal', null],
    [fan.id, 'spam', 'Look at this'],
  ])
  expect(await getStatus(boss, imageUrl)).toBe(200)

  expect(await decideCases(boss, [id], { decision: 'hide', reason: decisionReason })).toEqual({
    decided: [id],
    failed: [],
  })
  expect(await getPostStatuses([author, fan, boss, null], postId)).toEqual([200, 404, 404, 404])
  expect((await apiAs(boss).get(`/api/admin/cases/${id}`, AdminCaseDetails)).body).toMatchObject({
    hidden: true,
    since: 'same',
  })
  expect((await apiAs(author).get(`/api/posts/${postId}`, Post)).body).toMatchObject({ hidden: true })
  const rows = (user: TestUser, table: string, column: string) =>
    countDataApiRows(user, `${table}?select=id&${column}=eq.${postId}`)
  for (const [user, ...counts] of [
    [author, 1, 1, 0],
    [fan, 0, 0, 1],
    [boss, 0, 1, 2],
  ] as const) {
    expect([
      await rows(user, 'posts', 'id'),
      await rows(user, 'moderation_cases', 'subject_id'),
      await rows(user, 'reports', 'subject_id'),
    ]).toEqual(counts)
  }
  expect([await getStatus(author, imageUrl), await getStatus(boss, imageUrl)]).toEqual([200, 200])
  expect([await getStatus(fan, imageUrl), await getStatus(null, imageUrl)]).toEqual([404, 404])
  expect(
    (await apiAs(author).expectError('PATCH', `/api/posts/${postId}`, 403, { body: { content: 'x' } }))
      .message,
  ).toBe("Moderators hid this post, so you can't edit it.")
  expect((await apiAs(fan).get('/api/user/reports', z.array(Report))).body).toMatchObject([
    { id: report.id, outcome: 'acted', decidedAt: expect.any(String) },
  ])
  expect(await listNotifications(fan, 'report')).toEqual([
    {
      title: 'Your report',
      message: 'We reviewed what you reported and took action. Thank you.',
      href: '/safety?tab=reports',
      details: { event: 'report_acted' },
    },
  ])
  expect(await listNotifications(author, 'moderation')).toEqual([
    {
      title: 'From the moderators',
      message: `Your post was hidden: ${decisionReason}`,
      href: '/safety?tab=decisions',
      details: { decision: { kind: 'post', decision: 'hide', reason: decisionReason } },
    },
  ])

  const { body: decisions } = await apiAs(author).get('/api/user/decisions', z.array(Decision))
  // The excerpt shows the post as it was at the time of the decision.
  expect(decisions).toMatchObject([
    { id, decision: 'hide', reason: decisionReason, excerpt: 'Nothing at all', appeal: null },
  ])
  const days =
    (Date.parse(decisions[0]?.mayAppealUntil ?? '') - Date.parse(decisions[0]?.decidedAt ?? '')) / 86_400_000
  expect(days).toBeCloseTo(30, 3)
  const path = `/api/user/decisions/${id}/appeal`
  expect((await apiAs(author).expectError('POST', path, 400, { body: { text: ' ' } })).errors).toHaveProperty(
    'text',
  )
  for (const user of [fan, boss])
    await apiAs(user).expectError('POST', path, 404, { body: { text: 'Not mine' } })
  expect((await apiAs(author).post(path, Decision, { text: ' It was a joke ' })).body).toMatchObject({
    appeal: 'It was a joke',
    mayAppealUntil: null,
  })
  expect(await apiAs(author).expectError('POST', path, 409, { body: { text: 'Again' } })).toMatchObject({
    message: 'You have already appealed this decision.',
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
  expect(await getPostStatuses([author, fan, null], postId)).toEqual([200, 200, 200])
  const [answer, firstDecision] = await listNotifications(author, 'moderation')
  expect(answer).toMatchObject({
    message: 'Your appeal was granted: It was a joke indeed',
    details: { appeal: { outcome: 'overturned', answer: 'It was a joke indeed' } },
  })
  expect([answer?.details?.decision, firstDecision?.details?.decision]).toEqual([
    undefined,
    { kind: 'post', decision: 'hide', reason: decisionReason },
  ])
  expect((await apiAs(author).get('/api/user/decisions', z.array(Decision))).body).toMatchObject([
    { id, appealOutcome: 'overturned', appealAnswer: 'It was a joke indeed' },
  ])
  const auditEntries = await sql<{ action: string; actor: string }[]>`
    select action, actor_id as actor from public.audit_entries where subject = ${id} order by id`
  expect(auditEntries.map(({ action, actor }) => [action, actor])).toEqual([
    ['case.hide', boss.id],
    ['appeal.grant', deputy.id],
  ])
})

describe('POST /api/reports', () => {
  it('rejects invalid reports and reports about content that the caller created or cannot see, and is rate limited', async () => {
    const { id: postId } = await createPost(author, 'Mine')
    const expectReportError = (user: TestUser | null, status: number, body: unknown) =>
      apiAs(user).expectError('POST', '/api/reports', status, { body })
    const validReport = { kind: 'post', id: postId, reason: 'other' }
    await expectReportError(null, 401, validReport)
    expect((await expectReportError(author, 400, validReport)).message).toBe(
      "You can't report yourself or your own content.",
    )
    expect((await expectReportError(fan, 400, { ...validReport, reason: 'boring' })).errors).toEqual({
      reason: ['Please choose a reason.'],
    })
    for (const invalidReport of [
      {},
      { ...validReport, kind: 'story' },
      { ...validReport, note: 'x'.repeat(1001) },
      { ...validReport, more: 1 },
    ]) {
      await expectReportError(fan, 400, invalidReport)
    }
    expect((await expectReportError(fan, 404, { ...validReport, id: randomUUID() })).message).toBe(
      'Post not found',
    )
    const privateUser = await createUser()
    await sql`update public.profiles set visibility = 'private' where id = ${privateUser.id}`
    await expectReportError(fan, 404, {
      ...validReport,
      id: (await createPost(privateUser, 'For nobody')).id,
    })
    await exhaustRateLimit('reports', privateUser.id, 30, '1 hour')
    await expectReportError(privateUser, 429, validReport)
    expect(await listCases(boss, author, '&state=open')).toEqual([])
  })

  it('creates a report whose dismissal notifies the reporter but not the author', async () => {
    const { poster } = await createUsers('poster')
    const { id: postId } = await createPost(poster, 'Quite all right')
    await reportContent(secondFan, 'post', postId)
    const [reportedCase] = await listCases(boss, poster)
    expect(await decideCases(boss, [reportedCase?.id ?? ''], { decision: 'dismiss' })).toMatchObject({
      failed: [],
    })
    expect((await listNotifications(secondFan, 'report'))[0]).toMatchObject({
      message: 'We reviewed what you reported. It does not break our rules.',
      details: { event: 'report_dismissed' },
    })
    expect([
      await listNotifications(poster, 'moderation'),
      (await apiAs(poster).get('/api/user/decisions', z.array(Decision))).body,
    ]).toEqual([[], []])
    await apiAs(poster).expectError('POST', `/api/user/decisions/${reportedCase?.id}/appeal`, 404, {
      body: { text: 'x' },
    })
    expect(await getPostStatuses([fan], postId)).toEqual([200])
    // The audit log does not reveal the dismissal either.
    expect([
      await countDataApiRows(poster, 'audit_entries?select=id'),
      await countDataApiRows(boss, `audit_entries?subject=eq.${reportedCase?.id}`),
    ]).toEqual([0, 1])
  })
})
