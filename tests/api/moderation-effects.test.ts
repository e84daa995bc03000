import { ChatMessage, ReactionsResponse } from '@contract/message.ts'
import { AdminCase, Decision } from '@contract/moderation.ts'
import { LikeResponse } from '@contract/post.ts'
import { BlockResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { createComment, createPost, sendMessage } from '../support/content-api.ts'
import { createPng } from '../support/media-files.ts'
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
import { createUsers, registrationForm, type TestUser } from '../support/users.ts'

let boss: TestUser
let deputy: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ boss, deputy, fan } = await createModerationUsers())
})

describe('a message', () => {
  it('that is hidden is empty for both, in their threads, and comes back with its reactions', async () => {
    const { bully, victim } = await createUsers('bully', 'victim')
    const id = await sendMessage(bully, victim, 'Something cruel')
    await apiAs(victim).post(`/api/messages/${id}/reactions`, ReactionsResponse, { emoji: '😢' })
    await reportContent(victim, 'message', id, { reason: 'harassment' })
    const [held] = await listCases(boss, bully)
    await decideCases(boss, [held?.id ?? ''], { decision: 'hide', reason: decisionReason })
    const thread = async (who: TestUser, other: TestUser) =>
      (await apiAs(who).get(`/api/messages/${other.id}`, z.array(ChatMessage))).body
    for (const [who, other] of [
      [bully, victim],
      [victim, bully],
    ] as const) {
      expect(await thread(who, other)).toMatchObject([{ id, content: '', deleted: true, reactions: [] }])
    }
    await apiAs(bully).post(`/api/user/decisions/${held?.id}/appeal`, Decision, { text: 'We are friends' })
    const answer = { outcome: 'overturned', answer: 'They said so, too' }
    await apiAs(deputy).post(`/api/admin/cases/${held?.id}/appeal`, AdminCase, answer)
    expect(await thread(victim, bully)).toMatchObject([
      { id, content: 'Something cruel', deleted: false, reactions: [{ emoji: '😢' }] },
    ])
  })
})

describe('an address', () => {
  const register = async (email: string) =>
    await call('POST', '/api/auth/register', { body: await registrationForm({ email }) })
  const leave = (who: TestUser) =>
    apiAs(who).expectNoContent('DELETE', '/api/account', { password: who.password })

  it('of a suspended account that left, or of one that was removed, registers no other', async () => {
    const { short, long, removed, free } = await createUsers('short', 'long', 'removed', 'free')
    for (const [who, days] of [
      [short, 3],
      [long, null],
    ] as const)
      await moderateContent(boss, 'user', who.id, { decision: 'suspend', reason: decisionReason, days })
    await Promise.all([short, long, free].map(leave))
    await moderateContent(boss, 'user', removed.id, { decision: 'remove', reason: decisionReason })
    for (const { email } of [short, long, removed]) {
      const refused = await register(email.toUpperCase())
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({
        errors: { email: ['This email address cannot be used here'] },
      })
      // Nor past the API.
      await expect(sql`insert into auth.users (email) values (${email})`).rejects.toMatchObject({
        code: 'PT400',
      })
    }
    expect((await register(free.email)).status).toBe(201)
    await sql`update private.barred_addresses set until = now() - interval '1 second' where until is not null`
    await sql`select private.admit_address(${removed.email})`
    expect([(await register(short.email)).status, (await register(removed.email)).status]).toEqual([201, 201])
    expect((await register(long.email)).status).toBe(400)
    // Nor is it taken up later on.
    await expect(
      sql`select private.move_email(user_id, ${long.email}) from public.accounts where email = ${free.email}`,
    ).rejects.toMatchObject({ code: 'PT400' })
    await sql`delete from auth.users where email = any (${[free, short, removed].map(({ email }) => email)})`
  })

  it('of a suspended account that left is free again once its appeal is granted', async () => {
    const { gone } = await createUsers('gone')
    const { id } = await moderateContent(boss, 'user', gone.id, {
      decision: 'suspend',
      reason: decisionReason,
      days: null,
    })
    await apiAs(gone).post(`/api/user/decisions/${id}/appeal`, Decision, { text: 'That was my brother' })
    await leave(gone)
    expect((await register(gone.email)).status).toBe(400)
    await apiAs(deputy).post(`/api/admin/cases/${id}/appeal`, AdminCase, {
      outcome: 'overturned',
      answer: 'So it was',
    })
    expect((await register(gone.email)).status).toBe(201)
    await sql`delete from auth.users where email = ${gone.email}`
  })
})

describe('somebody suspended', () => {
  it('reads, reports, appeals, blocks, takes back and leaves, and changes nothing else, until it ends', async () => {
    const { rude, other } = await createUsers('rude', 'other')
    await sql`update public.profiles set is_creator = true where id = any (${[rude.id, other.id]})`
    const on = await createPost(other, 'To talk about')
    const own = await createPost(rude, 'Mine')
    const said = await createComment(rude, on, 'Rude')
    const words = await sendMessage(rude, other, 'Ruder')
    await apiAs(rude).post(`/api/posts/${on}/like`, LikeResponse)
    const { snapshots, suspendedUntil } = await moderateContent(boss, 'comment', said, {
      decision: 'suspend',
      reason: decisionReason,
      days: 3,
      hide: true,
    })
    expect(snapshots[0]?.seen.content).toBe('Rude')
    expect((Date.parse(suspendedUntil ?? '') - Date.now()) / 86_400_000).toBeCloseTo(3, 2)
    const me = (await apiAs(rude).get('/api/auth/user', OwnUser)).body
    expect(me.readOnlyReason).toMatch(/^Suspended until .+ UTC: It breaks our rules$/)

    const form = new FormData()
    form.set(
      'image',
      new Blob([new Uint8Array(createPng({ width: 4, height: 3 }))], { type: 'image/png' }),
      'a.png',
    )
    const shut: ['POST' | 'PATCH' | 'PUT', string, { body?: unknown; form?: FormData }][] = [
      ['POST', '/api/posts', { body: { content: 'More' } }],
      ['PATCH', `/api/posts/${own}`, { body: { content: 'Other' } }],
      ['POST', `/api/posts/${on}/comments`, { body: { content: 'More' } }],
      ['POST', `/api/posts/${own}/like`, {}],
      ['POST', `/api/posts/${on}/save`, {}],
      ['POST', `/api/users/${other.id}/follow`, {}],
      ['POST', '/api/messages', { body: { receiverId: other.id, content: 'More' } }],
      ['PATCH', `/api/messages/${words}`, { body: { content: 'Other' } }],
      ['POST', `/api/messages/${words}/reactions`, { body: { emoji: '👍' } }],
      ['POST', `/api/users/${other.id}/tip`, { body: { amount: 5 } }],
      ['POST', '/api/subscriptions', { body: { creatorId: other.id } }],
      ['POST', '/api/upload', { form }],
      ['PATCH', '/api/profile', { body: { bio: 'Other' } }],
    ]
    for (const [method, path, options] of shut) {
      expect([path, (await apiAs(rude).expectError(method, path, 403, options)).code]).toEqual([
        path,
        'account_read_only',
      ])
    }
    await reportContent(rude, 'post', on)
    await apiAs(rude).expectNoContent('DELETE', `/api/posts/${own}`)
    expect((await apiAs(rude).post(`/api/posts/${on}/like`, LikeResponse)).body.liked).toBe(false)
    await apiAs(rude).post(`/api/users/${fan.id}/block`, BlockResponse)
    const archive = await call('GET', '/api/account/export', {
      headers: { Authorization: `Bearer ${rude.token}` },
    })
    expect(await archive.text()).toContain(`"suspensionReason" : "${decisionReason}"`)
    const [about] = (await apiAs(rude).get('/api/user/decisions', z.array(Decision))).body
    await apiAs(rude).post(`/api/user/decisions/${about?.id}/appeal`, Decision, { text: 'I had a bad day' })
    const refusal = { outcome: 'upheld', answer: 'So had they' }
    await apiAs(deputy).post(`/api/admin/cases/${about?.id}/appeal`, AdminCase, refusal)
    expect((await listNotifications(rude, 'moderation'))[0]?.message).toBe(
      'Your appeal was turned down: So had they',
    )

    await sql`update public.accounts set suspended_until = now() - interval '1 second' where user_id = ${rude.id}`
    await sql`select private.tidy_moderation()`
    expect((await apiAs(rude).get('/api/auth/user', OwnUser)).body.readOnlyReason).toBeNull()
    await createPost(rude, 'Better')
    const gone = await call('DELETE', '/api/account', {
      body: { password: rude.password },
      headers: { Authorization: `Bearer ${rude.token}` },
    })
    expect(gone.status).toBe(204)
  })
})

describe('what was removed', () => {
  it('goes for good after 30 days, unless an appeal waits', async () => {
    const { poster, other } = await createUsers('poster', 'other')
    const [old, appealed, young] = [
      await createPost(poster, 'Old'),
      await createPost(poster, 'Appealed'),
      await createPost(poster, 'Young'),
    ]
    const on = await createPost(other, 'Stays')
    const words = await createComment(poster, on, 'Removed')
    const letter = await sendMessage(poster, other, 'Hidden')
    const removed = { decision: 'remove', reason: decisionReason } as const
    const cases: Record<string, string> = {}
    for (const id of [old, appealed, young]) cases[id] = (await moderateContent(boss, 'post', id, removed)).id
    cases[words] = (await moderateContent(boss, 'comment', words, removed)).id
    await reportContent(other, 'message', letter)
    const [held] = await listCases(boss, poster, '&state=open')
    await decideCases(boss, [held?.id ?? ''], { decision: 'hide', reason: decisionReason })
    cases[letter] = held?.id ?? ''
    await apiAs(poster).post(`/api/user/decisions/${cases[appealed]}/appeal`, Decision, { text: 'No' })
    const age = (ids: string[]) => sql`
      update public.moderation_cases set decided_at = now() - interval '31 days' where id = any (${ids})`
    await age([old, appealed, words, letter].map((id) => cases[id] ?? ''))
    // Too late for the others.
    expect(
      (
        await apiAs(poster).expectError('POST', `/api/user/decisions/${cases[old]}/appeal`, 409, {
          body: { text: 'No' },
        })
      ).message,
    ).toBe('An appeal is possible for 30 days.')
    await sql`select private.tidy_moderation()`
    const left = await sql<{ id: string }[]>`
      select id from public.posts where author_id = ${poster.id}
      union all select id from public.comments where id = ${words}
      union all select message_id from private.hidden_messages where message_id = ${letter}`
    expect(left.map(({ id }) => id).sort()).toEqual([appealed, young].sort())
    const counts = await sql`select posts from public.profile_counts where user_id = ${poster.id}`
    expect(counts[0]?.posts).toBe(0)
    const answer = { outcome: 'overturned', answer: 'Sorry' }
    await apiAs(deputy).post(`/api/admin/cases/${cases[appealed]}/appeal`, AdminCase, answer)
    expect(await getPostStatuses([fan], appealed)).toEqual([200])
    // What goes with an appeal that was turned down goes when the time is over.
    await apiAs(poster).post(`/api/user/decisions/${cases[young]}/appeal`, Decision, { text: 'No' })
    await apiAs(deputy).post(`/api/admin/cases/${cases[young]}/appeal`, AdminCase, {
      outcome: 'upheld',
      answer: 'No',
    })
    await age([cases[young] ?? ''])
    await sql`select private.tidy_moderation()`
    expect((await sql`select from public.posts where id = ${young}`).count).toBe(0)
  })
})
