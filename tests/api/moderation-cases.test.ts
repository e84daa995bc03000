import { randomUUID } from 'node:crypto'
import { AdminCase, AdminCaseDetails, Decision } from '@contract/moderation.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { runUntilDeadline } from '../../supabase/functions/_shared/moderation/run-until-deadline.ts'
import { apiAs } from '../support/api.ts'
import { createComment, createPost, sendMessage } from '../support/content-api.ts'
import { fetchMails, waitForMail } from '../support/mail.ts'
import {
  createModerationUsers,
  decideCases,
  decisionReason,
  listCases,
  listNotifications,
  moderateContent,
  reportContent,
} from '../support/moderation-api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let boss: TestUser
let deputy: TestUser
let author: TestUser
let fan: TestUser
let secondFan: TestUser

beforeAll(async () => {
  ;({ boss, deputy, author, fan, secondFan } = await createModerationUsers())
})

describe('moderation cases', () => {
  it('keep the IDs of reported posts and comments reserved after their deletion', async () => {
    const { poster, other } = await createUsers('poster', 'other')
    const { id: postId } = await createPost(poster, 'Something rude')
    const { id: commentId } = await createComment(poster, postId, 'And again')
    await reportContent(fan, 'post', postId)
    await reportContent(fan, 'comment', commentId)
    await apiAs(poster).expectNoContent('DELETE', `/api/comments/${commentId}`)
    await apiAs(poster).expectNoContent('DELETE', `/api/posts/${postId}`)
    const { id: otherPostId } = await createPost(other, 'Quite all right')
    for (const user of [other, poster]) {
      await apiAs(user).expectError('POST', '/api/posts', 409, { body: { id: postId, content: 'Innocent' } })
      await apiAs(user).expectError('POST', `/api/posts/${otherPostId}/comments`, 409, {
        body: { id: commentId, content: 'Me' },
      })
    }
    await apiAs(fan).expectError('POST', '/api/reports', 404, {
      body: { kind: 'post', id: postId, reason: 'spam' },
    })
    expect((await listCases(boss, other)).length).toBe(0)
  })

  it('are for admins only: visitors get 401 and other users 403, whatever the request contains', async () => {
    const calls: ['GET' | 'POST', string][] = [
      ['GET', '/api/admin/cases'],
      ['GET', '/api/admin/cases?state=nonsense'],
      ['GET', `/api/admin/cases/${randomUUID()}`],
      ['GET', '/api/admin/cases/nonsense'],
      ['POST', '/api/admin/cases/decide'],
      ['POST', `/api/admin/cases/${randomUUID()}/appeal`],
      ['POST', '/api/admin/moderate'],
    ]
    const validDecision = { ids: [randomUUID()], decision: { decision: 'warn', reason: decisionReason } }
    for (const [method, path] of calls) {
      for (const body of method === 'GET' ? [undefined] : [{}, validDecision]) {
        await apiAs(null).expectError(method, path, 401, body ? { body } : {})
        for (const user of [fan, author])
          await apiAs(user).expectError(method, path, 403, body ? { body } : {})
      }
    }
    await apiAs(boss).expectError('GET', `/api/admin/cases/${randomUUID()}`, 404)
    await apiAs(boss).expectError('POST', '/api/admin/cases/decide', 400, {
      body: { ...validDecision, ids: [] },
    })
    await apiAs(boss).expectError('POST', '/api/admin/moderate', 400, {
      body: { kind: 'post', id: randomUUID(), decision: { decision: 'hide' } },
    })
  })

  it('that need attention are sorted by their number of reports, then by how long they have waited', async () => {
    const { poster } = await createUsers('poster')
    const posts: string[] = []
    for (const content of ['One', 'Two', 'Three', 'Four']) {
      const { id } = await createPost(poster, content)
      await reportContent(fan, 'post', id)
      posts.push(id)
    }
    const [one, two, three, four] = posts
    await reportContent(secondFan, 'post', two ?? '')
    const sorted = async (filter = '') =>
      (await listCases(boss, poster, `&limit=1&sort=attention${filter}`)).map(({ subjectId }) => subjectId)
    expect(await sorted()).toEqual([two, one, three, four])
    const decided = (await listCases(boss, poster)).filter(({ subjectId }) => subjectId === one)
    const id = decided[0]?.id ?? ''
    await decideCases(boss, [id], { decision: 'hide', reason: decisionReason })
    expect(await sorted()).toEqual([two, three, four])
    expect(await sorted('&state=decided')).toEqual([])
    // An appeal has waited since it was sent, not since the post was reported.
    await apiAs(poster).post(`/api/user/decisions/${id}/appeal`, Decision, { text: 'Why?' })
    expect(await sorted()).toEqual([two, three, four, one])
    expect(await sorted('&state=appealed')).toEqual([one])
    await apiAs(fan).expectError('GET', '/api/admin/cases?sort=attention', 403)
  })

  it('are decided independently: one failed decision does not stop the others', async () => {
    const { poster } = await createUsers('poster')
    const posts = [
      (await createPost(poster, 'One')).id,
      (await createPost(poster, 'Two')).id,
      (await createPost(boss, 'By an admin')).id,
    ]
    for (const id of posts) await reportContent(fan, 'post', id)
    await reportContent(secondFan, 'post', posts[0] ?? '')
    const [firstCase, secondCase] = await listCases(boss, poster, '&state=open')
    const [caseOfBoss] = await listCases(boss, boss, '&state=open')
    const [firstId, secondId, bossCaseId, unknownId] = [
      firstCase?.id ?? '',
      secondCase?.id ?? '',
      caseOfBoss?.id ?? '',
      randomUUID(),
    ]
    // The list is sorted by the latest report, across pages too.
    expect((await listCases(boss, poster, '&limit=1')).map(({ subjectId }) => subjectId)).toEqual([
      posts[0],
      posts[1],
    ])
    expect((await listCases(boss, poster, '&limit=1&sort=oldest')).map(({ subjectId }) => subjectId)).toEqual(
      [posts[1], posts[0]],
    )
    await apiAs(boss).expectError('GET', '/api/admin/cases?sort=reports', 400)
    await decideCases(deputy, [secondId], { decision: 'dismiss' })
    const response = await decideCases(boss, [firstId, firstId, secondId, bossCaseId, unknownId], {
      decision: 'warn',
      reason: decisionReason,
    })
    expect(response).toEqual({
      decided: [firstId],
      failed: [
        { id: secondId, message: 'This case has already been decided.' },
        { id: bossCaseId, message: 'Another admin has to decide cases about you.' },
        { id: unknownId, message: 'Case not found' },
      ],
    })
    await decideCases(deputy, [bossCaseId], { decision: 'hide', reason: decisionReason })
    expect(
      (await listCases(boss, poster)).map(({ decision, priorDecisions }) => [decision, priorDecisions]),
    ).toEqual([
      ['warn', 0],
      ['dismiss', 0],
    ])
    // POST /api/admin/moderate creates a new case about the same post.
    expect(
      await moderateContent(boss, 'post', posts[1] ?? '', { decision: 'hide', reason: decisionReason }),
    ).toMatchObject({
      reports: 0,
      priorDecisions: 1,
      decision: 'hide',
      since: 'same',
      hidden: true,
    })
    await apiAs(boss).expectError('POST', '/api/admin/moderate', 404, {
      body: { kind: 'post', id: posts[1], decision: { decision: 'hide', reason: decisionReason } },
    })
    for (const [kind, id, decision, code] of [
      ['user', poster.id, 'hide', 'validation_failed'],
      ['user', deputy.id, 'remove', 'target_is_admin'],
      ['user', boss.id, 'warn', 'target_is_admin'],
    ] as const) {
      const body = { kind, id, decision: { decision, reason: decisionReason } }
      expect(
        (
          await apiAs(boss).expectError(
            'POST',
            '/api/admin/moderate',
            code === 'target_is_admin' ? 403 : 400,
            {
              body,
            },
          )
        ).code,
      ).toBe(code)
    }
  })

  it('in a bulk decision are skipped when too little time is left', async () => {
    let now = 1000
    const started: [string, number][] = []
    const durationMs: Record<string, number> = { quick: 30, slow: 900, late: 66 }
    const skipped = await runUntilDeadline(
      ['quick', 'slow', 'late', 'never', 'nor this'],
      { totalMs: 1000, minMs: 5, now: () => now },
      async (name, remainingMs) => {
        started.push([name, remainingMs])
        now += durationMs[name] ?? 0
      },
    )
    expect(started).toEqual([
      ['quick', 1000],
      ['slow', 970],
      ['late', 70],
    ])
    expect(skipped).toEqual(['never', 'nor this'])
  })

  it('created through POST /api/admin/moderate are stored once per request ID', async () => {
    const { poster } = await createUsers('poster')
    const { id: postId } = await createPost(poster, 'Loud words')
    const requestId = randomUUID()
    const request = {
      requestId,
      kind: 'post',
      id: postId,
      decision: { decision: 'warn', reason: decisionReason },
    }
    const send = async (user: TestUser, body: unknown) =>
      (await apiAs(user).post('/api/admin/moderate', AdminCase, body)).body
    // The request is sent twice in parallel, and once more later.
    const [first, parallelCase] = await Promise.all([send(boss, request), send(boss, request)])
    expect(parallelCase).toEqual(first)
    expect(await send(boss, request)).toEqual(first)
    expect((await listCases(boss, poster)).map(({ id }) => id)).toEqual([first.id])
    expect(await listNotifications(poster, 'moderation')).toHaveLength(1)
    const auditEntries = () => sql`
      select from public.audit_entries where target_id = ${poster.id} and action = 'case.warn'`
    expect(await auditEntries()).toHaveLength(1)
    // The same ID with other content is a conflict. A request from another admin or without an ID is a new decision.
    for (const other of [
      { id: (await createPost(poster, 'More')).id },
      { decision: { decision: 'hide', reason: decisionReason } },
      { decision: { decision: 'warn', reason: 'Something else.' } },
    ])
      await apiAs(boss).expectError('POST', '/api/admin/moderate', 409, { body: { ...request, ...other } })
    await send(deputy, request)
    await send(boss, { ...request, requestId: undefined })
    expect(await auditEntries()).toHaveLength(3)

    // A repeated request also succeeds if the first request removed the content or the account.
    const removeRequest = {
      ...request,
      requestId: randomUUID(),
      decision: { decision: 'remove', reason: decisionReason },
    }
    expect(await send(boss, removeRequest)).toEqual(await send(boss, removeRequest))
    const removal = { ...removeRequest, requestId: randomUUID(), kind: 'user', id: poster.id }
    const removed = await send(boss, removal)
    expect(removed).toMatchObject({ decision: 'remove', person: null })
    expect(await send(boss, removal)).toEqual(removed)
    const subject = 'Your account was removed'
    await waitForMail(poster.email, 1, subject)
    expect((await fetchMails(poster.email)).filter((mail) => mail.subject === subject)).toHaveLength(1)
  })

  it('are not created by POST /api/admin/moderate for a dismissal, or for an unreported message between other users', async () => {
    const { bully, victim } = await createUsers('bully', 'victim')
    const path = '/api/admin/moderate'
    const { id: postId } = await createPost(bully, 'Nothing wrong with it')
    await apiAs(boss).expectError('POST', path, 400, {
      body: { kind: 'post', id: postId, decision: { decision: 'dismiss' } },
    })
    const body = {
      kind: 'message',
      id: (await sendMessage(bully, victim, 'Between us')).id,
      decision: { decision: 'warn', reason: decisionReason },
    }
    expect((await apiAs(boss).expectError('POST', path, 404, { body })).message).toBe('Message not found')
    expect(await listCases(boss, bully)).toEqual([])
    await reportContent(victim, 'message', body.id)
    expect((await apiAs(boss).post(path, AdminCase, body)).body).toMatchObject({
      reports: 1,
      decision: 'warn',
    })
    // An admin cannot dismiss a case that they reported. Another admin must do so.
    await reportContent(boss, 'post', postId)
    const [reportedByBoss] = await listCases(boss, bully, '&state=open')
    const dismissal = { decision: 'dismiss' } as const
    expect((await decideCases(boss, [reportedByBoss?.id ?? ''], dismissal)).failed).toMatchObject([
      { message: 'Another admin has to dismiss a case that you reported.' },
    ])
    expect((await decideCases(deputy, [reportedByBoss?.id ?? ''], dismissal)).failed).toEqual([])
    // After the decision, the message is private again. Admins can still decide on messages that they received.
    await apiAs(boss).expectError('POST', path, 404, { body })
    const toBoss = { ...body, id: (await sendMessage(bully, boss, 'And you, too')).id }
    expect((await apiAs(boss).post(path, AdminCase, toBoss)).body).toMatchObject({
      reports: 0,
      decision: 'warn',
    })
  })

  it('no longer contain the name of a removed user, who gets an email with the reason', async () => {
    const { removedUser } = await createUsers('removedUser')
    await reportContent(fan, 'user', removedUser.id, { reason: 'impersonation' })
    const [reportedCase] = await listCases(boss, removedUser)
    expect(reportedCase?.snapshots[0]?.seen).toMatchObject({ username: removedUser.username })
    expect(
      await decideCases(boss, [reportedCase?.id ?? ''], {
        decision: 'remove',
        reason: 'You are somebody else',
      }),
    ).toMatchObject({
      failed: [],
    })
    const mail = await waitForMail(removedUser.email, 1, 'Your account was removed')
    expect(mail.text).toContain('Reason: You are somebody else')
    await apiAs(removedUser).expectError('GET', '/api/auth/user', 401)
    expect(
      (await apiAs(boss).get(`/api/admin/cases/${reportedCase?.id}`, AdminCaseDetails)).body,
    ).toMatchObject({
      person: null,
      snapshots: [],
      decision: 'remove',
      since: 'gone',
    })
  })
})
