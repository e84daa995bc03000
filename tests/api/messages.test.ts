import { randomUUID } from 'node:crypto'
import { Count } from '@contract/common.ts'
import { ChatMessage, Conversation } from '@contract/message.ts'
import { BlockResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { sendMessage, subscribe } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Thread = z.array(ChatMessage)
const Conversations = z.array(Conversation)
const visitor = apiAs(null)
let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
})

const unread = async (user: TestUser) =>
  (await apiAs(user).get('/api/messages/unread-count', Count)).body.count
const thread = async (user: TestUser, other: TestUser, query = '') =>
  await apiAs(user).get(`/api/messages/${other.id}${query}`, Thread)

describe('GET /api/messages/conversations?filter=…', () => {
  it('lists unread conversations, or conversations in which the caller has not written', async () => {
    const { owner, first, second, third } = await createUsers('owner', 'first', 'second', 'third')
    for (const user of [first, second, third]) await sendMessage(user, owner, 'Hello')
    await sendMessage(owner, second, 'Hi')
    await apiAs(owner).patch(`/api/messages/${third.id}/read`, Count)
    const partners = async (filter: string) =>
      (
        await apiAs(owner).getAllPages(`/api/messages/conversations?filter=${filter}&limit=1`, Conversations)
      ).map(({ otherUserId }) => otherUserId)
    expect(await partners('unread')).toEqual([second.id, first.id])
    expect(await partners('requests')).toEqual([third.id, first.id])
    await sendMessage(owner, first, 'Hi')
    await apiAs(owner).patch(`/api/messages/${first.id}/read`, Count)
    expect([await partners('unread'), await partners('requests')]).toEqual([[second.id], [third.id]])
    expect(
      (await apiAs(first).get('/api/messages/conversations?filter=requests', Conversations)).body,
    ).toEqual([])
    await apiAs(owner).expectError('GET', '/api/messages/conversations?filter=all', 400)
    await visitor.expectError('GET', '/api/messages/conversations?filter=unread', 401)
  })
})

describe('GET /api/messages/conversations?filter=subscribers', () => {
  it('lists only the conversations with users who are currently subscribed to the caller', async () => {
    const { creator, first, second, ended, other } = await createUsers(
      'creator',
      'first',
      'second',
      'ended',
      'other',
    )
    await makeCreator(creator, other)
    for (const user of [first, second, ended, other]) await sendMessage(user, creator, 'Hello')
    for (const user of [first, second, ended]) await subscribe(user, creator)
    await subscribe(creator, other)
    await sql`update public.subscriptions set cancelled_at = now(), period_end = now()
              where subscriber_id = ${ended.id}`
    const partners = async (user: TestUser) =>
      (
        await apiAs(user).getAllPages('/api/messages/conversations?filter=subscribers&limit=1', Conversations)
      ).map(({ otherUserId }) => otherUserId)
    expect(await partners(creator)).toEqual([second.id, first.id])
    expect(await partners(other)).toEqual([creator.id])
    expect([await partners(first), await partners(ended)]).toEqual([[], []])
    await visitor.expectError('GET', '/api/messages/conversations?filter=subscribers', 401)
  })
})

describe('POST /api/messages', () => {
  it('delivers a message that counts as unread until it is marked as read', async () => {
    const sent = await sendMessage(ada, ben, '  Hello Ben 👋\n')
    expect(sent).toMatchObject({
      seq: 1,
      senderId: ada.id,
      receiverId: ben.id,
      content: '  Hello Ben 👋\n',
      isRead: false,
    })
    expect((await thread(ben, ada)).body).toEqual([sent])
    expect([await unread(ben), await unread(ada)]).toEqual([1, 0])
    const [conversation] = (await apiAs(ben).get('/api/messages/conversations', Conversations)).body
    expect(conversation).toMatchObject({
      otherUserId: ada.id,
      otherUser: { id: ada.id, username: ada.username },
      lastMessage: { id: sent.id, senderId: ada.id, content: sent.content, createdAt: sent.createdAt },
      isRead: false,
      unreadCount: 1,
      canMessage: true,
    })
    expect((await apiAs(ben).patch(`/api/messages/${ada.id}/read`, Count)).body).toEqual({ count: 0 })
    expect((await apiAs(ben).patch(`/api/messages/${ada.id}/read`, Count)).body).toEqual({ count: 0 })
    expect((await thread(ada, ben)).body).toEqual([{ ...sent, isRead: true }])
    const after = (await apiAs(ben).get('/api/messages/conversations', Conversations)).body
    expect(after[0]).toMatchObject({ isRead: true, unreadCount: 0 })
  })

  it('stores a message once when a request with the same ID is repeated', async () => {
    const body = { id: randomUUID(), receiverId: ben.id, content: 'Only once' }
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => call('POST', '/api/messages', { body, headers: authorizationHeader(ada) })),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, 200, 200, 201])
    const again = await apiAs(ada).post('/api/messages', ChatMessage, { ...body, content: 'Changed' })
    expect(again.body.content).toBe('Only once')
    const seqs = (await thread(ada, ben)).body.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })

  it('rejects the ID of an existing message for another sender or receiver', async () => {
    const { id } = await sendMessage(ada, ben, 'Taken')
    for (const [user, receiver] of [
      [cleo, ben],
      [ben, ada],
      [ada, cleo],
    ] as const) {
      const body = await apiAs(user).expectError('POST', '/api/messages', 409, {
        body: { id, receiverId: receiver.id, content: 'Mine now' },
      })
      expect(body.code).toBe('conflict')
    }
    expect((await sql`select from public.messages where id = ${id} and content = 'Taken'`).count).toBe(1)
    expect((await apiAs(cleo).get('/api/messages/conversations', Conversations)).body).toEqual([])
  })

  it('requires content, an existing receiver and a session', async () => {
    const expectSendError = (body: unknown, status: number) =>
      apiAs(ada).expectError('POST', '/api/messages', status, { body })
    expect((await expectSendError({ receiverId: ben.id, content: '  \n' }, 400)).message).toBe(
      'Please write a message.',
    )
    expect((await expectSendError({ receiverId: ben.id }, 400)).errors).toEqual({
      content: ['Please write a message.'],
    })
    await expectSendError({ receiverId: ben.id, content: 'x'.repeat(5001) }, 400)
    await expectSendError({ receiverId: ben.id, content: 'a\u0000b' }, 400)
    expect((await expectSendError({ receiverId: 'nobody', content: 'x' }, 400)).message).toBe(
      'Recipient not found',
    )
    const nobody = await expectSendError({ receiverId: randomUUID(), content: 'x' }, 404)
    expect(nobody).toEqual({ message: 'Recipient not found', code: 'recipient_not_found' })
    await expectSendError({ receiverId: ada.id, content: 'To myself' }, 404)
    await visitor.expectError('POST', '/api/messages', 401, { body: {} })
  })

  it('accepts 5,000 characters, counted as code points', async () => {
    const { dora, eve } = await createUsers('dora', 'eve')
    const content = '😀'.repeat(5000)
    expect((await sendMessage(dora, eve, content)).content).toBe(content)
    const body = { receiverId: eve.id, content: `${content}😀` }
    expect((await apiAs(dora).expectError('POST', '/api/messages', 400, { body })).errors).toEqual({
      content: ['A message can have at most 5000 characters.'],
    })
  })

  it('is limited to 60 messages per minute; repeating a stored message does not count', async () => {
    const { id } = await sendMessage(cleo, ben, 'Before')
    await clearRateLimits(cleo.id, 'messages')
    await exhaustRateLimit('messages', cleo.id, 60, '1 minute')
    const body = { receiverId: ben.id, content: 'One more' }
    expect((await apiAs(cleo).expectError('POST', '/api/messages', 429, { body })).code).toBe('rate_limited')
    await apiAs(cleo).post('/api/messages', ChatMessage, { ...body, id })
    await clearRateLimits(cleo.id, 'messages')
    expect((await sendMessage(cleo, ben, 'After')).seq).toBe(2)
  })
})

describe('GET /api/messages/:userId', () => {
  it('returns the newest page in ascending order, then older pages', async () => {
    await sql`insert into public.messages (sender_id, receiver_id, content)
              select ${cleo.id}, ${ada.id}, 'No. ' || n from generate_series(1, 55) n`
    const newest = await thread(ada, cleo)
    expect(newest.body.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 6))
    expect(newest.next).toBe(newest.body[0]?.id)
    const older = await thread(ada, cleo, `?before=${newest.next}`)
    expect(older.body.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(older.next).toBeNull()
    const few = await thread(ada, cleo, `?limit=2&cursor=${newest.next}`)
    expect(few.body.map(({ seq }) => seq)).toEqual([4, 5])
    // With the ID of a message in another conversation, the page is empty.
    const idInOtherConversation = (await thread(ada, ben)).body[0]?.id
    expect((await thread(ada, cleo, `?before=${idInOtherConversation}`)).body).toEqual([])
  })

  it('returns pages before, after and around a message without gaps', async () => {
    const whole = await apiAs(ada).getAllPages(`/api/messages/${cleo.id}?limit=20`, Thread)
    const all = whole.toSorted((a, b) => a.seq - b.seq)
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 55 }, (_, index) => index + 1))
    const middle = all[29]?.id
    const around = await thread(ada, cleo, `?around=${middle}`)
    expect(around.body).toEqual(all.slice(4, 54))
    const before = await thread(ada, cleo, `?before=${around.next}`)
    const after = await thread(ada, cleo, `?after=${around.body.at(-1)?.id}`)
    expect([...before.body, ...around.body, ...after.body]).toEqual(all)
    expect([before.next, after.next]).toEqual([null, null])
    // Later messages are read page by page, starting after the first message.
    const firstPage = await thread(ada, cleo, `?after=${all[0]?.id}&limit=30`)
    expect(firstPage.body).toEqual(all.slice(1, 31))
    expect((await thread(ada, cleo, `?after=${firstPage.next}&limit=30`)).body).toEqual(all.slice(31))
    expect((await thread(ada, cleo, `?around=${all[0]?.id}&limit=4`)).body).toEqual(all.slice(0, 2))
    expect((await thread(ada, cleo, `?around=${all[54]?.id}&limit=4`)).body).toEqual(all.slice(52))
    expect((await thread(ada, cleo, `?around=${middle}&limit=1`)).body).toEqual(all.slice(29, 30))
    // With an unknown ID or the ID of a message in another conversation, the page is empty.
    const idInOtherConversation = (await thread(ada, ben)).body[0]?.id
    for (const query of [
      `after=${idInOtherConversation}`,
      `around=${idInOtherConversation}`,
      `around=${randomUUID()}`,
    ]) {
      expect(await thread(ada, cleo, `?${query}`)).toMatchObject({ body: [], next: null })
    }
    for (const queries of [`before=${middle}&after=${middle}`, `around=${middle}&changedAfter=1`]) {
      const error = await apiAs(ada).expectError('GET', `/api/messages/${cleo.id}?${queries}`, 400)
      expect(error.message).toBe('Use only one of before, cursor, after, around and changedAfter.')
    }
  })

  it('is limited to the two users of the conversation', async () => {
    expect((await thread(cleo, ada)).body).toHaveLength(50)
    expect((await thread(ben, cleo)).body.every(({ senderId }) => senderId === cleo.id)).toBe(true)
    await visitor.expectError('GET', `/api/messages/${ada.id}`, 401)
    await apiAs(ada).expectError('GET', `/api/messages/${randomUUID()}`, 404)
    await apiAs(ada).expectError('GET', '/api/messages/nonsense', 404)
    expect((await thread(ada, ada)).body).toEqual([])
  })
})

describe('GET /api/messages/conversations', () => {
  it('returns the latest first, page by page, with unread counts that mark-all-read resets', async () => {
    await sendMessage(ben, ada, 'Latest')
    const listed = (await apiAs(ada).get('/api/messages/conversations', Conversations)).body
    expect(listed.map(({ otherUserId }) => otherUserId)).toEqual([ben.id, cleo.id])
    expect(listed.map(({ unreadCount }) => unreadCount)).toEqual([1, 55])
    const paged = await apiAs(ada).getAllPages('/api/messages/conversations?limit=1', Conversations)
    expect(paged).toEqual(listed)
    expect(await unread(ada)).toBe(56)
    expect((await apiAs(ada).post('/api/messages/mark-all-read', Count)).body).toEqual({ count: 0 })
    expect(await unread(ada)).toBe(0)
    await visitor.expectError('GET', '/api/messages/conversations', 401)
    await visitor.expectError('GET', '/api/messages/unread-count', 401)
    await visitor.expectError('POST', '/api/messages/mark-all-read', 401)
    await visitor.expectError('PATCH', `/api/messages/${ben.id}/read`, 401)
  })

  it('keeps a conversation readable when the other user disables messages or blocks the caller', async () => {
    const stored = await sendMessage(ada, ben, 'While I may')
    const body = { receiverId: ben.id, content: 'May I?' }
    await apiAs(ben).patch('/api/settings/privacy', OwnUser, { allowDirectMessages: false })
    expect(await apiAs(ada).expectError('POST', '/api/messages', 403, { body })).toEqual({
      message: 'This user has disabled direct messages',
      code: 'direct_messages_disabled',
    })
    // A client can still resend a message that was already delivered.
    const again = await apiAs(ada).post('/api/messages', ChatMessage, { ...body, id: stored.id })
    expect(again.body.id).toBe(stored.id)
    await apiAs(ben).patch('/api/settings/privacy', OwnUser, { allowDirectMessages: true })

    await apiAs(ben).patch(`/api/messages/${ada.id}/read`, Count)
    const lastRead = async () =>
      (await thread(ada, ben)).body.findLast((message) => message.senderId === ada.id)?.isRead
    expect(await lastRead()).toBe(true)
    await apiAs(ben).post(`/api/users/${ada.id}/block`, BlockResponse)
    // Blocked users cannot see how far the other user has read.
    expect(await lastRead()).toBe(false)
    await apiAs(ada).expectError('POST', '/api/messages', 404, { body })
    await apiAs(ben).expectError('POST', '/api/messages', 404, { body: { ...body, receiverId: ada.id } })
    expect((await thread(ada, ben)).body.at(-1)?.id).toBe(stored.id)
    const [first] = (await apiAs(ada).get('/api/messages/conversations', Conversations)).body
    expect(first).toMatchObject({
      otherUserId: ben.id,
      otherUser: { username: ben.username },
      canMessage: false,
    })
    await apiAs(ben).expectNoContent('DELETE', `/api/users/${ada.id}/block`)
    expect(await lastRead()).toBe(true)
  })

  it('includes presence only if the other user shares it', async () => {
    const { dora, emil } = await createUsers('dora', 'emil')
    await sendMessage(dora, emil, 'Are you there?')
    const presence = async () =>
      (await apiAs(dora).get('/api/messages/conversations', Conversations)).body[0]?.presence
    const hidden = { online: false, lastSeenAt: null }
    await unread(emil)
    // Presence is visible only after the other user has replied.
    expect(await presence()).toEqual(hidden)
    await sendMessage(emil, dora, 'I am.')
    expect(await presence()).toEqual({ online: true, lastSeenAt: null })
    await sql`update private.last_seen set seen_at = now() - interval '5 minutes' where user_id = ${emil.id}`
    const seen = await presence()
    expect(Date.now() - Date.parse(seen?.lastSeenAt ?? '')).toBeGreaterThan(4 * 60_000)
    await apiAs(emil).patch('/api/settings/privacy', OwnUser, { showLastSeen: false })
    expect(await presence()).toEqual(hidden)
    await unread(emil)
    await apiAs(emil).patch('/api/settings/privacy', OwnUser, { showLastSeen: true, showOnline: false })
    expect((await presence())?.online).toBe(false)
    await apiAs(emil).patch('/api/settings/privacy', OwnUser, { showOnline: true })
    await apiAs(emil).post(`/api/users/${dora.id}/block`, BlockResponse)
    expect(await presence()).toEqual(hidden)
  })

  it('keeps conversations with deleted accounts', async () => {
    const { deletedUser } = await createUsers('deletedUser')
    await sendMessage(deletedUser, ada, 'Farewell')
    await sql`delete from auth.users where id = ${deletedUser.id}`
    const [first] = (await apiAs(ada).get('/api/messages/conversations', Conversations)).body
    expect(first).toMatchObject({
      otherUser: { id: deletedUser.id, displayName: 'Deleted user' },
      canMessage: false,
    })
    expect((await thread(ada, deletedUser)).body.map(({ content }) => content)).toEqual(['Farewell'])
    await apiAs(ada).expectError('POST', '/api/messages', 404, {
      body: { receiverId: deletedUser.id, content: 'Hello?' },
    })
  })
})
