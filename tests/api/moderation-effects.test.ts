import { ChatMessage, ReactionsResponse } from '@contract/message.ts'
import { AdminCase, Decision } from '@contract/moderation.ts'
import { LikeResponse } from '@contract/post.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createComment, createPost, sendMessage } from '../support/content-api.ts'
import { retryDeadlocks } from '../support/deadlocks.ts'
import { createPng, fileForm } from '../support/media-files.ts'
import {
  createModerationUsers,
  decideCases,
  decisionReason,
  getPostStatuses,
  listCases,
  listNotifications,
  moderateContent,
  reportContent,
} from '../support/moderation-api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, getOwnUser, makeCreator, registrationForm, type TestUser } from '../support/users.ts'

let boss: TestUser
let deputy: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ boss, deputy, fan } = await createModerationUsers())
})

/** Repeats the maintenance until `check` passes, because a run skips rows that another test's run has locked. */
const runMaintenanceUntil = (check: () => Promise<void>) =>
  vi.waitFor(
    async () => {
      await sql`select private.run_moderation_maintenance()`
      await check()
    },
    { timeout: 10_000 },
  )

describe('a hidden message', () => {
  it('is empty for both users, and reappears with all reactions after a granted appeal', async () => {
    const { bully, victim } = await createUsers('bully', 'victim')
    const { id } = await sendMessage(bully, victim, 'Something cruel')
    await apiAs(victim).post(`/api/messages/${id}/reactions`, ReactionsResponse, { emoji: '😢' })
    await reportContent(victim, 'message', id, { reason: 'harassment' })
    const [messageCase] = await listCases(boss, bully)
    await decideCases(boss, [messageCase?.id ?? ''], { decision: 'hide', reason: decisionReason })
    const thread = async (user: TestUser, other: TestUser) =>
      (await apiAs(user).get(`/api/messages/${other.id}`, z.array(ChatMessage))).body
    for (const [user, other] of [
      [bully, victim],
      [victim, bully],
    ] as const) {
      expect(await thread(user, other)).toMatchObject([{ id, content: '', deleted: true, reactions: [] }])
    }
    await apiAs(bully).post(`/api/user/decisions/${messageCase?.id}/appeal`, Decision, {
      text: 'We are friends',
    })
    const answer = { outcome: 'overturned', answer: 'They said so, too' }
    await apiAs(deputy).post(`/api/admin/cases/${messageCase?.id}/appeal`, AdminCase, answer)
    expect(await thread(victim, bully)).toMatchObject([
      { id, content: 'Something cruel', deleted: false, reactions: [{ emoji: '😢' }] },
    ])
  })
})

describe('a banned email address', () => {
  const register = async (email: string) =>
    await call('POST', '/api/auth/register', { body: await registrationForm({ email }) })
  const deleteAccount = (user: TestUser) =>
    apiAs(user).expectNoContent('DELETE', '/api/account', { password: user.password })

  it('belongs to an account that was removed, or deleted while suspended, and cannot be used until the ban ends', async () => {
    const { temporarilySuspended, permanentlySuspended, removedUser, formerUser } = await createUsers(
      'temporarilySuspended',
      'permanentlySuspended',
      'removedUser',
      'formerUser',
    )
    for (const [user, days] of [
      [temporarilySuspended, 3],
      [permanentlySuspended, null],
    ] as const)
      await moderateContent(boss, 'user', user.id, { decision: 'suspend', reason: decisionReason, days })
    await Promise.all([temporarilySuspended, permanentlySuspended, formerUser].map(deleteAccount))
    await moderateContent(boss, 'user', removedUser.id, { decision: 'remove', reason: decisionReason })
    for (const { email } of [temporarilySuspended, permanentlySuspended, removedUser]) {
      const response = await register(email.toUpperCase())
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        errors: { email: ['This email address cannot be used here'] },
      })
      // Inserting a user directly is rejected as well.
      await expect(sql`insert into auth.users (email) values (${email})`).rejects.toMatchObject({
        code: 'PT400',
      })
    }
    expect((await register(formerUser.email)).status).toBe(201)
    await sql`update private.banned_emails set until = now() - interval '1 second' where until is not null`
    await sql`select private.unban_email(${removedUser.email})`
    expect([
      (await register(temporarilySuspended.email)).status,
      (await register(removedUser.email)).status,
    ]).toEqual([201, 201])
    expect((await register(permanentlySuspended.email)).status).toBe(400)
    // An existing account cannot change to a banned address.
    await expect(
      sql`select private.set_account_email(user_id, ${permanentlySuspended.email}) from public.accounts where email = ${formerUser.email}`,
    ).rejects.toMatchObject({ code: 'PT400' })
    const emails = [formerUser, temporarilySuspended, removedUser].map(({ email }) => email)
    await retryDeadlocks(() => sql`delete from auth.users where email = any (${emails})`)
  })

  it('can be registered again after an appeal against the suspension is granted', async () => {
    const { deletedUser } = await createUsers('deletedUser')
    const { id } = await moderateContent(boss, 'user', deletedUser.id, {
      decision: 'suspend',
      reason: decisionReason,
      days: null,
    })
    await apiAs(deletedUser).post(`/api/user/decisions/${id}/appeal`, Decision, {
      text: 'That was my brother',
    })
    await deleteAccount(deletedUser)
    expect((await register(deletedUser.email)).status).toBe(400)
    await apiAs(deputy).post(`/api/admin/cases/${id}/appeal`, AdminCase, {
      outcome: 'overturned',
      answer: 'So it was',
    })
    expect((await register(deletedUser.email)).status).toBe(201)
    await sql`delete from auth.users where email = ${deletedUser.email}`
  })
})

describe('a suspended user', () => {
  it('can read, report, appeal, block and delete, but not write until the suspension ends', async () => {
    const { suspendedUser, other } = await createUsers('suspendedUser', 'other')
    await makeCreator(suspendedUser, other)
    const { id: postId } = await createPost(other, 'To talk about')
    const { id: ownPostId } = await createPost(suspendedUser, 'Mine')
    const { id: commentId } = await createComment(suspendedUser, postId, 'Rude')
    const { id: messageId } = await sendMessage(suspendedUser, other, 'Ruder')
    await apiAs(suspendedUser).post(`/api/posts/${postId}/like`, LikeResponse)
    const { snapshots, suspendedUntil } = await moderateContent(boss, 'comment', commentId, {
      decision: 'suspend',
      reason: decisionReason,
      days: 3,
      hide: true,
    })
    expect(snapshots[0]?.seen.content).toBe('Rude')
    expect((Date.parse(suspendedUntil ?? '') - Date.now()) / 86_400_000).toBeCloseTo(3, 2)
    const ownUser = await getOwnUser(suspendedUser)
    expect(ownUser.readOnlyReason).toMatch(/^Suspended until .+ UTC: It breaks our rules$/)
    expect(ownUser.suspension?.reason).toBe(decisionReason)
    expect(Date.parse(ownUser.suspension?.until ?? '')).toBe(Date.parse(suspendedUntil ?? ''))

    const form = fileForm('image', createPng({ width: 4, height: 3 }))
    const rejectedRequests: ['POST' | 'PATCH' | 'PUT', string, { body?: unknown; form?: FormData }][] = [
      ['POST', '/api/posts', { body: { content: 'More' } }],
      ['PATCH', `/api/posts/${ownPostId}`, { body: { content: 'Other' } }],
      ['POST', `/api/posts/${postId}/comments`, { body: { content: 'More' } }],
      ['POST', `/api/posts/${ownPostId}/like`, {}],
      ['POST', `/api/posts/${postId}/save`, {}],
      ['POST', `/api/users/${other.id}/follow`, {}],
      ['POST', '/api/messages', { body: { receiverId: other.id, content: 'More' } }],
      ['PATCH', `/api/messages/${messageId}`, { body: { content: 'Other' } }],
      ['POST', `/api/messages/${messageId}/reactions`, { body: { emoji: '👍' } }],
      ['POST', `/api/users/${other.id}/tip`, { body: { amount: 5 } }],
      ['POST', '/api/subscriptions', { body: { creatorId: other.id } }],
      ['POST', '/api/upload', { form }],
      ['PATCH', '/api/profile', { body: { bio: 'Other' } }],
    ]
    for (const [method, path, options] of rejectedRequests) {
      expect([path, (await apiAs(suspendedUser).expectError(method, path, 403, options)).code]).toEqual([
        path,
        'account_read_only',
      ])
    }
    await reportContent(suspendedUser, 'post', postId)
    await apiAs(suspendedUser).expectNoContent('DELETE', `/api/posts/${ownPostId}`)
    expect((await apiAs(suspendedUser).post(`/api/posts/${postId}/like`, LikeResponse)).body.liked).toBe(
      false,
    )
    await apiAs(suspendedUser).post(`/api/users/${fan.id}/block`, BlockResponse)
    const archive = await call('GET', '/api/account/export', {
      headers: authorizationHeader(suspendedUser),
    })
    expect(await archive.text()).toContain(`"suspensionReason" : "${decisionReason}"`)
    const [decision] = (await apiAs(suspendedUser).get('/api/user/decisions', z.array(Decision))).body
    await apiAs(suspendedUser).post(`/api/user/decisions/${decision?.id}/appeal`, Decision, {
      text: 'I had a bad day',
    })
    const refusal = { outcome: 'upheld', answer: 'So had they' }
    await apiAs(deputy).post(`/api/admin/cases/${decision?.id}/appeal`, AdminCase, refusal)
    const [answer, suspension] = await listNotifications(suspendedUser, 'moderation')
    expect(answer?.message).toBe('Your appeal was turned down: So had they')
    expect(answer?.details).toEqual({ appeal: { outcome: 'upheld', answer: 'So had they' } })
    expect(suspension?.details?.decision).toMatchObject({
      kind: 'comment',
      decision: 'suspend',
      reason: decisionReason,
    })
    expect(Date.parse(suspension?.details?.decision?.suspendedUntil ?? '')).toBe(
      Date.parse(suspendedUntil ?? ''),
    )

    await sql`update public.accounts set suspended_until = now() - interval '1 second' where user_id = ${suspendedUser.id}`
    await runMaintenanceUntil(async () => {
      expect(await getOwnUser(suspendedUser)).toMatchObject({ readOnlyReason: null, suspension: null })
    })
    await createPost(suspendedUser, 'Better')
    const deletion = await call('DELETE', '/api/account', {
      body: { password: suspendedUser.password },
      headers: authorizationHeader(suspendedUser),
    })
    expect(deletion.status).toBe(204)
  })
})

describe('removed content', () => {
  it('is deleted after 30 days unless an appeal is pending', async () => {
    const { poster, other } = await createUsers('poster', 'other')
    const [oldId, appealedId, recentId] = [
      (await createPost(poster, 'Old')).id,
      (await createPost(poster, 'Appealed')).id,
      (await createPost(poster, 'Young')).id,
    ]
    const { id: postId } = await createPost(other, 'Stays')
    const { id: commentId } = await createComment(poster, postId, 'Removed')
    const { id: messageId } = await sendMessage(poster, other, 'Hidden')
    const removal = { decision: 'remove', reason: decisionReason } as const
    const cases: Record<string, string> = {}
    for (const id of [oldId, appealedId, recentId])
      cases[id] = (await moderateContent(boss, 'post', id, removal)).id
    cases[commentId] = (await moderateContent(boss, 'comment', commentId, removal)).id
    await reportContent(other, 'message', messageId)
    const [messageCase] = await listCases(boss, poster, '&state=open')
    await decideCases(boss, [messageCase?.id ?? ''], { decision: 'hide', reason: decisionReason })
    cases[messageId] = messageCase?.id ?? ''
    await apiAs(poster).post(`/api/user/decisions/${cases[appealedId]}/appeal`, Decision, { text: 'No' })
    const setDecidedLongAgo = (ids: string[]) => sql`
      update public.moderation_cases set decided_at = now() - interval '31 days' where id = any (${ids})`
    await setDecidedLongAgo([oldId, appealedId, commentId, messageId].map((id) => cases[id] ?? ''))
    // Decisions older than 30 days cannot be appealed.
    expect(
      (
        await apiAs(poster).expectError('POST', `/api/user/decisions/${cases[oldId]}/appeal`, 409, {
          body: { text: 'No' },
        })
      ).message,
    ).toBe('You can only appeal within 30 days of the decision.')
    await runMaintenanceUntil(async () => {
      const remaining = await sql<{ id: string }[]>`
        select id from public.posts where author_id = ${poster.id}
        union all select id from public.comments where id = ${commentId}
        union all select message_id from private.hidden_messages where message_id = ${messageId}`
      expect(remaining.map(({ id }) => id).sort()).toEqual([appealedId, recentId].sort())
    })
    const counts = await sql`select posts from public.profile_counts where user_id = ${poster.id}`
    expect(counts[0]?.posts).toBe(0)
    const answer = { outcome: 'overturned', answer: 'Sorry' }
    await apiAs(deputy).post(`/api/admin/cases/${cases[appealedId]}/appeal`, AdminCase, answer)
    expect(await getPostStatuses([fan], appealedId)).toEqual([200])
    // A rejected appeal does not restart the 30-day period.
    await apiAs(poster).post(`/api/user/decisions/${cases[recentId]}/appeal`, Decision, { text: 'No' })
    await apiAs(deputy).post(`/api/admin/cases/${cases[recentId]}/appeal`, AdminCase, {
      outcome: 'upheld',
      answer: 'No',
    })
    await setDecidedLongAgo([cases[recentId] ?? ''])
    await runMaintenanceUntil(async () => {
      expect((await sql`select from public.posts where id = ${recentId}`).count).toBe(0)
    })
  })
})
