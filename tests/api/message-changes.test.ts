import { randomUUID } from 'node:crypto'
import { limits } from '@contract/limits.ts'
import { ChatMessage, Conversation, MessageReaction, ReactionsResponse } from '@contract/message.ts'
import { BlockResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { sendMessage } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
})

const edit = async (user: TestUser, id: string, content: string) =>
  (await apiAs(user).patch(`/api/messages/${id}`, ChatMessage, { content })).body
const react = async (user: TestUser, id: string, emoji: string) =>
  (await apiAs(user).post(`/api/messages/${id}/reactions`, ReactionsResponse, { emoji })).body.reactions
const thread = async (user: TestUser, other: TestUser, query = '') =>
  (await apiAs(user).get(`/api/messages/${other.id}${query}`, z.array(ChatMessage))).body
const getMessage = async (user: TestUser, other: TestUser, id: string) =>
  (await thread(user, other)).find((message) => message.id === id)
const setAge = (id: string, minutes: number) => sql`
  update public.messages set created_at = clock_timestamp() - ${minutes}::int * interval '1 minute' where id = ${id}`

describe('PATCH /api/messages/:id', () => {
  it('changes the text for both users, sets editedAt and increments the version', async () => {
    const sent = await sendMessage(ada, ben, 'Helo')
    await setAge(sent.id, 14)
    const edited = await edit(ada, sent.id, 'Hello')
    expect(edited).toMatchObject({ id: sent.id, seq: sent.seq, content: 'Hello', deleted: false })
    expect(edited.editedAt).not.toBeNull()
    expect(edited.version).toBeGreaterThan(0)
    expect(await getMessage(ben, ada, sent.id)).toEqual(edited)
    // Saving the same text again has no effect.
    expect(await edit(ada, sent.id, 'Hello')).toEqual(edited)
    const next = await edit(ada, sent.id, 'Hello!')
    expect(next.version).toBe(edited.version + 1)
  })

  it('is possible only for the sender, within 15 minutes, and only while the sender may message the receiver', async () => {
    const { id } = await sendMessage(ada, ben, 'Mine')
    const expectEditError = (user: TestUser | null, status: number, body: unknown = { content: 'Yours' }) =>
      apiAs(user).expectError('PATCH', `/api/messages/${id}`, status, { body })
    await expectEditError(null, 401)
    expect((await expectEditError(ada, 400, { content: '\u200b \n' })).message).toBe(
      'Please write a message.',
    )
    expect((await expectEditError(ada, 400, { content: 'x'.repeat(5001) })).message).toBe(
      'A message can have at most 5000 characters.',
    )
    await expectEditError(ada, 400, {})
    await apiAs(ben).patch('/api/settings/privacy', OwnUser, { allowDirectMessages: false })
    for (const body of [{ content: 'Still me' }, {}]) {
      expect(await expectEditError(ada, 403, body)).toEqual({
        message: 'This user has disabled direct messages',
        code: 'direct_messages_disabled',
      })
    }
    await apiAs(ben).patch('/api/settings/privacy', OwnUser, { allowDirectMessages: true })
    await setAge(id, 16)
    for (const body of [{ content: 'Too late' }, {}]) {
      expect(await expectEditError(ada, 403, body)).toEqual({
        message: 'You can edit a message for 15 minutes after sending it.',
        code: 'edit_window_over',
      })
      expect((await expectEditError(ben, 403, body)).code).toBe('forbidden')
      expect((await expectEditError(cleo, 404, body)).message).toBe('Message not found')
    }
    await apiAs(ada).expectError('PATCH', `/api/messages/${randomUUID()}`, 404, {
      body: { content: 'Nothing' },
    })
    expect((await getMessage(ben, ada, id))?.content).toBe('Mine')
  })

  it('accepts text of the maximum length in code points, and stores it unchanged', async () => {
    const { id } = await sendMessage(ada, ben, 'Short')
    const longest = `${'𝒜'.repeat(2000)}${'x'.repeat(limits.messageContent.max - 2000)}`
    expect((await edit(ada, id, longest)).content).toBe(longest)
    const body = { content: `${longest}x` }
    await apiAs(ada).expectError('PATCH', `/api/messages/${id}`, 400, { body })
    expect((await getMessage(ben, ada, id))?.content).toBe(longest)
  })
})

describe('DELETE /api/messages/:id', () => {
  it('leaves an empty placeholder for both users, even when repeated', async () => {
    const quoted = await sendMessage(ben, ada, 'Question')
    const { id } = await sendMessage(ada, ben, { content: 'A secret', replyToId: quoted.id })
    const reply = await sendMessage(ben, ada, { content: 'I know', replyToId: id })
    await react(ben, id, '😮')
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${id}`)
    const remaining = await getMessage(ben, ada, id)
    expect(remaining).toMatchObject({
      content: '',
      deleted: true,
      editedAt: null,
      replyTo: null,
      reactions: [],
    })
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${id}`)
    expect(await getMessage(ben, ada, id)).toEqual(remaining)
    expect((await getMessage(ada, ben, reply.id))?.replyTo).toEqual({
      id,
      seq: remaining?.seq,
      senderId: ada.id,
      content: '',
      hasImage: false,
      voiceSeconds: null,
      deleted: true,
    })
    const rows = await sql`select from public.messages m where m.id = ${id} and m::text like '%secret%'`
    expect(rows.count).toBe(0)
    const notifications = await sql`select from public.notifications where message_id = ${id}`
    expect(notifications.count).toBe(0)
    for (const [method, path, body] of [
      ['PATCH', '', { content: 'Back again' }],
      ['POST', '/reactions', { emoji: '👍' }],
    ] as const) {
      const deletedError = await apiAs(ada).expectError(method, `/api/messages/${id}${path}`, 409, { body })
      expect(deletedError).toEqual({ message: 'This message was deleted.', code: 'message_deleted' })
    }
    // The message stays deleted if a client that missed the deletion sends the message again.
    const body = { id, receiverId: ben.id, content: 'A secret' }
    expect((await apiAs(ada).post('/api/messages', ChatMessage, body)).body).toEqual(remaining)
  })

  it('shows the deletion in the conversation list, and is possible only for the sender', async () => {
    const { id } = await sendMessage(ada, ben, 'Latest')
    await apiAs(ben).expectError('DELETE', `/api/messages/${id}`, 403)
    expect((await apiAs(cleo).expectError('DELETE', `/api/messages/${id}`, 404)).message).toBe(
      'Message not found',
    )
    await apiAs(null).expectError('DELETE', `/api/messages/${id}`, 401)
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${id}`)
    const [first] = (await apiAs(ben).get('/api/messages/conversations', z.array(Conversation))).body
    expect(first?.lastMessage).toMatchObject({ id, content: '', deleted: true, hasImage: false })
  })

  it('is possible at any time, even if the receiver has blocked the sender', async () => {
    const { id } = await sendMessage(cleo, ben, 'Regret')
    await setAge(id, 100_000)
    await apiAs(ben).post(`/api/users/${cleo.id}/block`, BlockResponse)
    const text = { body: { content: 'Regret it' } }
    await apiAs(cleo).expectError('PATCH', `/api/messages/${id}`, 403, text)
    await setAge(id, 0)
    expect((await apiAs(cleo).expectError('PATCH', `/api/messages/${id}`, 404, text)).code).toBe(
      'recipient_not_found',
    )
    const emoji = { body: { emoji: '👍' } }
    await apiAs(ben).expectError('POST', `/api/messages/${id}/reactions`, 404, emoji)
    await apiAs(cleo).expectNoContent('DELETE', `/api/messages/${id}`)
    expect((await getMessage(ben, cleo, id))?.deleted).toBe(true)
    await apiAs(ben).expectNoContent('DELETE', `/api/users/${cleo.id}/block`)
  })
})

describe('POST /api/messages with replyToId', () => {
  it('quotes the beginning of a message in the same conversation, and reflects later edits', async () => {
    const question = await sendMessage(ben, ada, `${'é'.repeat(250)}`)
    const { replyTo } = await sendMessage(ada, ben, { content: 'Indeed', replyToId: question.id })
    expect(replyTo).toEqual({
      id: question.id,
      seq: question.seq,
      senderId: ben.id,
      content: 'é'.repeat(200),
      hasImage: false,
      voiceSeconds: null,
      deleted: false,
    })
    await edit(ben, question.id, 'Changed')
    expect((await thread(ada, ben)).at(-1)?.replyTo?.content).toBe('Changed')
  })

  it('rejects the ID of a message in another conversation', async () => {
    const { id } = await sendMessage(cleo, ada, 'Elsewhere')
    for (const replyToId of [id, randomUUID()]) {
      const body = { receiverId: ben.id, content: 'What?', replyToId }
      expect((await apiAs(ada).expectError('POST', '/api/messages', 400, { body })).message).toBe(
        'The message you are replying to is not in this conversation.',
      )
    }
    const body = { receiverId: ben.id, content: 'What?', replyToId: 'none' }
    await apiAs(ada).expectError('POST', '/api/messages', 400, { body })
  })
})

describe('POST /api/messages/:id/reactions', () => {
  const countNotifications = async (id: string) =>
    (await sql`select from public.notifications where message_id = ${id} and user_id = ${ada.id}`).count

  it('toggles each emoji separately for each user and notifies the sender', async () => {
    const { id } = await sendMessage(ada, ben, 'News!')
    expect(await react(ben, id, '❤️')).toEqual([{ emoji: '❤️', userId: ben.id }])
    expect(await react(ada, id, '❤️')).toHaveLength(2)
    const all = await react(ben, id, '😂')
    expect(all).toEqual([
      { emoji: '❤️', userId: ben.id },
      { emoji: '❤️', userId: ada.id },
      { emoji: '😂', userId: ben.id },
    ])
    expect(await countNotifications(id)).toBe(1)
    expect((await getMessage(ada, ben, id))?.reactions).toEqual(all)
    for (const user of [ada, ben]) {
      const listed = await apiAs(user).get(`/api/messages/${id}/reactions`, z.array(MessageReaction))
      expect(listed.body.map(({ emoji, userId, user }) => ({ emoji, userId, name: user.username }))).toEqual([
        { emoji: '❤️', userId: ben.id, name: ben.username },
        { emoji: '❤️', userId: ada.id, name: ada.username },
        { emoji: '😂', userId: ben.id, name: ben.username },
      ])
    }
    expect(await react(ben, id, '❤️')).toHaveLength(2)
    expect(await countNotifications(id)).toBe(1)
    expect(await react(ben, id, '😂')).toEqual([{ emoji: '❤️', userId: ada.id }])
    expect(await countNotifications(id)).toBe(0)
  })

  it('is limited to the two users of the conversation and to the offered emojis', async () => {
    const { id } = await sendMessage(ada, ben, 'React!')
    const path = `/api/messages/${id}/reactions`
    await apiAs(cleo).expectError('GET', path, 404)
    await apiAs(null).expectError('GET', path, 401)
    for (const body of [{ emoji: '👍' }, { emoji: 'x' }]) {
      await apiAs(cleo).expectError('POST', path, 404, { body })
      await apiAs(null).expectError('POST', path, 401, { body })
    }
    expect((await apiAs(ben).expectError('POST', path, 400, { body: { emoji: '🦄' } })).message).toBe(
      'Please choose one of the offered reactions.',
    )
    expect((await getMessage(ada, ben, id))?.reactions).toEqual([])
  })

  it('is limited to 120 changes per minute, together with edits and deletions', async () => {
    const { id } = await sendMessage(cleo, ada, 'Slow down')
    await exhaustRateLimit('message changes', cleo.id, 120, '1 minute')
    for (const [method, path, body] of [
      ['PATCH', '', { content: 'Faster' }],
      ['POST', '/reactions', { emoji: '👍' }],
      ['DELETE', '', undefined],
    ] as const) {
      await apiAs(cleo).expectError(method, `/api/messages/${id}${path}`, 429, { body })
    }
    await clearRateLimits(cleo.id, 'message changes')
    expect(await react(cleo, id, '👍')).toHaveLength(1)
  })
})

describe('GET /api/messages/:userId?changedAfter', () => {
  it('returns the changes after a version, page by page', async () => {
    const { dora, emil } = await createUsers('dora', 'emil')
    const sent: ChatMessage[] = []
    for (const content of ['a', 'b', 'c', 'd']) sent.push(await sendMessage(dora, emil, content))
    const [a = '', b = '', c = ''] = sent.map(({ id }) => id)
    await edit(dora, b, 'B')
    await react(emil, c, '🔥')
    await apiAs(dora).expectNoContent('DELETE', `/api/messages/${a}`)
    await edit(dora, b, 'B!')
    const path = `/api/messages/${dora.id}`
    const all = await apiAs(emil).get(`${path}?changedAfter=0`, z.array(ChatMessage))
    expect(all.body.map(({ id, version, deleted }) => [id, version, deleted])).toEqual([
      [c, 2, false],
      [a, 3, true],
      [b, 4, false],
    ])
    expect(all.next).toBeNull()
    const first = await apiAs(emil).get(`${path}?changedAfter=0&limit=2`, z.array(ChatMessage))
    expect(first.next).toBe('3')
    const rest = await apiAs(emil).get(`${path}?changedAfter=${first.next}`, z.array(ChatMessage))
    expect([...first.body, ...rest.body]).toEqual(all.body)
    expect(await thread(emil, dora, '?changedAfter=4')).toEqual([])
    expect(await thread(cleo, dora, '?changedAfter=0')).toEqual([])
    for (const version of ['x', '-1', '1.5', '9'.repeat(30)])
      await apiAs(emil).expectError('GET', `${path}?changedAfter=${version}`, 400)
  })
})
