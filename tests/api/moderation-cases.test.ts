import { randomUUID } from 'node:crypto'
import { AdminCase, AdminCaseDetails } from '@contract/moderation.ts'
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
let second: TestUser

beforeAll(async () => {
  ;({ boss, deputy, author, fan, second } = await createModerationUsers())
})

describe('cases', () => {
  it('stay about what was reported: its id is nobody’s again', async () => {
    const { poster, other } = await createUsers('poster', 'other')
    const on = await createPost(poster, 'Something rude')
    const said = await createComment(poster, on, 'And again')
    await reportContent(fan, 'post', on)
    await reportContent(fan, 'comment', said)
    await apiAs(poster).expectNoContent('DELETE', `/api/comments/${said}`)
    await apiAs(poster).expectNoContent('DELETE', `/api/posts/${on}`)
    const next = await createPost(other, 'Quite all right')
    for (const who of [other, poster]) {
      await apiAs(who).expectError('POST', '/api/posts', 409, { body: { id: on, content: 'Innocent' } })
      await apiAs(who).expectError('POST', `/api/posts/${next}/comments`, 409, {
        body: { id: said, content: 'Me' },
      })
    }
    await apiAs(fan).expectError('POST', '/api/reports', 404, {
      body: { kind: 'post', id: on, reason: 'spam' },
    })
    expect((await listCases(boss, other)).length).toBe(0)
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
    const right = { ids: [randomUUID()], decision: { decision: 'warn', reason: decisionReason } }
    for (const [method, path] of calls) {
      for (const body of method === 'GET' ? [undefined] : [{}, right]) {
        await apiAs(null).expectError(method, path, 401, body ? { body } : {})
        for (const who of [fan, author]) await apiAs(who).expectError(method, path, 403, body ? { body } : {})
      }
    }
    await apiAs(boss).expectError('GET', `/api/admin/cases/${randomUUID()}`, 404)
    await apiAs(boss).expectError('POST', '/api/admin/cases/decide', 400, { body: { ...right, ids: [] } })
    await apiAs(boss).expectError('POST', '/api/admin/moderate', 400, {
      body: { kind: 'post', id: randomUUID(), decision: { decision: 'hide' } },
    })
  })

  it('are decided alike and each by itself: one that fails stops no other', async () => {
    const { poster } = await createUsers('poster')
    const posts = [
      await createPost(poster, 'One'),
      await createPost(poster, 'Two'),
      await createPost(boss, 'Of an admin'),
    ]
    for (const id of posts) await reportContent(fan, 'post', id)
    await reportContent(second, 'post', posts[0] ?? '')
    const [one, two] = await listCases(boss, poster, '&state=open')
    const [own] = await listCases(boss, boss, '&state=open')
    const [ofOne, ofTwo, ofBoss, unknown] = [one?.id ?? '', two?.id ?? '', own?.id ?? '', randomUUID()]
    // The last moved first, page by page.
    expect((await listCases(boss, poster, '&limit=1')).map(({ subjectId }) => subjectId)).toEqual([
      posts[0],
      posts[1],
    ])
    await decideCases(deputy, [ofTwo], { decision: 'dismiss' })
    const answer = await decideCases(boss, [ofOne, ofOne, ofTwo, ofBoss, unknown], {
      decision: 'warn',
      reason: decisionReason,
    })
    expect(answer).toEqual({
      decided: [ofOne],
      failed: [
        { id: ofTwo, message: 'This case was decided already.' },
        { id: ofBoss, message: 'Another admin has to decide about you.' },
        { id: unknown, message: 'Case not found' },
      ],
    })
    await decideCases(deputy, [ofBoss], { decision: 'hide', reason: decisionReason })
    expect(
      (await listCases(boss, poster)).map(({ decision, priorDecisions }) => [decision, priorDecisions]),
    ).toEqual([
      ['warn', 0],
      ['dismiss', 0],
    ])
    // Straight at the thing, it is one more.
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

  it('that there is no time for are not begun, and named', async () => {
    let now = 1000
    const begun: [string, number][] = []
    const takes: Record<string, number> = { quick: 30, slow: 900, late: 66 }
    const late = await runUntilDeadline(
      ['quick', 'slow', 'late', 'never', 'nor this'],
      { totalMs: 1000, minMs: 5, now: () => now },
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
    const { poster } = await createUsers('poster')
    const on = await createPost(poster, 'Loud words')
    const requestId = randomUUID()
    const said = { requestId, kind: 'post', id: on, decision: { decision: 'warn', reason: decisionReason } }
    const send = async (who: TestUser, body: unknown) =>
      (await apiAs(who).post('/api/admin/moderate', AdminCase, body)).body
    // Twice at once, and again later.
    const [first, twin] = await Promise.all([send(boss, said), send(boss, said)])
    expect(twin).toEqual(first)
    expect(await send(boss, said)).toEqual(first)
    expect((await listCases(boss, poster)).map(({ id }) => id)).toEqual([first.id])
    expect(await listNotifications(poster, 'moderation')).toHaveLength(1)
    const deeds = () => sql`
      select from public.audit_entries where target_id = ${poster.id} and action = 'case.warn'`
    expect(await deeds()).toHaveLength(1)
    // The same id for something else is no repetition; without one, or from another admin, it is one more.
    for (const other of [
      { id: await createPost(poster, 'More') },
      { decision: { decision: 'hide', reason: decisionReason } },
      { decision: { decision: 'warn', reason: 'Something else.' } },
    ])
      await apiAs(boss).expectError('POST', '/api/admin/moderate', 409, { body: { ...said, ...other } })
    await send(deputy, said)
    await send(boss, { ...said, requestId: undefined })
    expect(await deeds()).toHaveLength(3)

    // What is out of sight by then, and accounts that are gone, are answered all the same.
    const gone = {
      ...said,
      requestId: randomUUID(),
      decision: { decision: 'remove', reason: decisionReason },
    }
    expect(await send(boss, gone)).toEqual(await send(boss, gone))
    const account = { ...gone, requestId: randomUUID(), kind: 'user', id: poster.id }
    const removed = await send(boss, account)
    expect(removed).toMatchObject({ decision: 'remove', person: null })
    expect(await send(boss, account)).toEqual(removed)
    const subject = 'Your account was removed'
    await waitForMail(poster.email, 1, subject)
    expect((await fetchMails(poster.email)).filter((mail) => mail.subject === subject)).toHaveLength(1)
  })

  it('straight at a thing are told, and none is about what two people wrote that neither reported', async () => {
    const { bully, victim } = await createUsers('bully', 'victim')
    const path = '/api/admin/moderate'
    const on = await createPost(bully, 'Nothing wrong with it')
    await apiAs(boss).expectError('POST', path, 400, {
      body: { kind: 'post', id: on, decision: { decision: 'dismiss' } },
    })
    const body = {
      kind: 'message',
      id: await sendMessage(bully, victim, 'Between us'),
      decision: { decision: 'warn', reason: decisionReason },
    }
    expect((await apiAs(boss).expectError('POST', path, 404, { body })).message).toBe('Message not found')
    expect(await listCases(boss, bully)).toEqual([])
    await reportContent(victim, 'message', body.id)
    expect((await apiAs(boss).post(path, AdminCase, body)).body).toMatchObject({
      reports: 1,
      decision: 'warn',
    })
    // What an admin reported is another one's to dismiss.
    await reportContent(boss, 'post', on)
    const [mine] = await listCases(boss, bully, '&state=open')
    const nothing = { decision: 'dismiss' } as const
    expect((await decideCases(boss, [mine?.id ?? ''], nothing)).failed).toMatchObject([
      { message: 'Another admin has to dismiss what you reported.' },
    ])
    expect((await decideCases(deputy, [mine?.id ?? ''], nothing)).failed).toEqual([])
    // Decided, it is between the two again; what an admin was written is the admin's as well.
    await apiAs(boss).expectError('POST', path, 404, { body })
    const toBoss = { ...body, id: await sendMessage(bully, boss, 'And you, too') }
    expect((await apiAs(boss).post(path, AdminCase, toBoss)).body).toMatchObject({
      reports: 0,
      decision: 'warn',
    })
  })

  it('that remove a person write to them why, and keep what was reported without their name', async () => {
    const { gone } = await createUsers('gone')
    await reportContent(fan, 'user', gone.id, { reason: 'impersonation' })
    const [held] = await listCases(boss, gone)
    expect(held?.snapshots[0]?.seen).toMatchObject({ username: gone.username })
    expect(
      await decideCases(boss, [held?.id ?? ''], { decision: 'remove', reason: 'You are somebody else' }),
    ).toMatchObject({
      failed: [],
    })
    const mail = await waitForMail(gone.email, 1, 'Your account was removed')
    expect(mail.text).toContain('Reason: You are somebody else')
    await apiAs(gone).expectError('GET', '/api/auth/user', 401)
    expect((await apiAs(boss).get(`/api/admin/cases/${held?.id}`, AdminCaseDetails)).body).toMatchObject({
      person: null,
      snapshots: [],
      decision: 'remove',
      since: 'gone',
    })
  })
})
