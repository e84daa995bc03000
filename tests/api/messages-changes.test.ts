import { randomUUID } from 'node:crypto'
import { ChatMessage, Conversation, MessageReaction, ReactionsResponse } from '@contract/message.ts'
import { BlockResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
})

const send = async (from: TestUser, to: TestUser, content: string, more: object = {}) =>
  (await apiAs(from).post('/api/messages', ChatMessage, { receiverId: to.id, content, ...more }, 201)).body
const edit = async (who: TestUser, id: string, content: string) =>
  (await apiAs(who).patch(`/api/messages/${id}`, ChatMessage, { content })).body
const react = async (who: TestUser, id: string, emoji: string) =>
  (await apiAs(who).post(`/api/messages/${id}/reactions`, ReactionsResponse, { emoji })).body.reactions
const thread = async (who: TestUser, other: TestUser, query = '') =>
  (await apiAs(who).get(`/api/messages/${other.id}${query}`, z.array(ChatMessage))).body
const one = async (who: TestUser, other: TestUser, id: string) =>
  (await thread(who, other)).find((message) => message.id === id)
const age = (id: string, minutes: number) => sql`
  update public.messages set created_at = clock_timestamp() - ${minutes}::int * interval '1 minute' where id = ${id}`

describe('editing', () => {
  it('changes the text for both, says when, and numbers the change', async () => {
    const sent = await send(ada, ben, 'Helo')
    await age(sent.id, 14)
    const edited = await edit(ada, sent.id, 'Hello')
    expect(edited).toMatchObject({ id: sent.id, seq: sent.seq, content: 'Hello', deleted: false })
    expect(edited.editedAt).not.toBeNull()
    expect(edited.version).toBeGreaterThan(0)
    expect(await one(ben, ada, sent.id)).toEqual(edited)
    // The same text again is no change.
    expect(await edit(ada, sent.id, 'Hello')).toEqual(edited)
    const next = await edit(ada, sent.id, 'Hello!')
    expect(next.version).toBe(edited.version + 1)
  })

  it('is for its sender, for 15 minutes, while they may write, whatever it is to say', async () => {
    const { id } = await send(ada, ben, 'Mine')
    const refused = (who: TestUser | null, status: number, body: unknown = { content: 'Yours' }) =>
      apiAs(who).expectError('PATCH', `/api/messages/${id}`, status, { body })
    await refused(null, 401)
    expect((await refused(ada, 400, { content: '\u200b \n' })).message).toBe('Please write a message.')
    expect((await refused(ada, 400, { content: 'x'.repeat(5001) })).message).toBe(
      'A message can have at most 5000 characters.',
    )
    await refused(ada, 400, {})
    await apiAs(ben).patch('/api/settings/privacy', OwnUser, { allowDirectMessages: false })
    for (const body of [{ content: 'Still me' }, {}]) {
      expect(await refused(ada, 403, body)).toEqual({
        message: 'This user has disabled direct messages',
        code: 'direct_messages_disabled',
      })
    }
    await apiAs(ben).patch('/api/settings/privacy', OwnUser, { allowDirectMessages: true })
    await age(id, 16)
    for (const body of [{ content: 'Too late' }, {}]) {
      expect(await refused(ada, 403, body)).toEqual({
        message: 'A message can be edited for 15 minutes.',
        code: 'edit_window_over',
      })
      expect((await refused(ben, 403, body)).code).toBe('forbidden')
      expect((await refused(cleo, 404, body)).message).toBe('Message not found')
    }
    await apiAs(ada).expectError('PATCH', `/api/messages/${randomUUID()}`, 404, {
      body: { content: 'Nothing' },
    })
    expect((await one(ben, ada, id))?.content).toBe('Mine')
  })

  it('takes 5,000 characters and keeps each', async () => {
    const { id } = await send(ada, ben, 'Short')
    const long = `${'𝒜'.repeat(2000)}${'x'.repeat(1000)}`
    expect((await edit(ada, id, long)).content).toBe(long)
  })
})

describe('deleting', () => {
  it('leaves the place and nothing else, for both, and once', async () => {
    const quoted = await send(ben, ada, 'Question')
    const { id } = await send(ada, ben, 'A secret', { replyToId: quoted.id })
    const answer = await send(ben, ada, 'I know', { replyToId: id })
    await react(ben, id, '😮')
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${id}`)
    const left = await one(ben, ada, id)
    expect(left).toMatchObject({ content: '', deleted: true, editedAt: null, replyTo: null, reactions: [] })
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${id}`)
    expect(await one(ben, ada, id)).toEqual(left)
    expect((await one(ada, ben, answer.id))?.replyTo).toEqual({
      id,
      seq: left?.seq,
      senderId: ada.id,
      content: '',
      hasImage: false,
      deleted: true,
    })
    const rows = await sql`select from public.messages m where m.id = ${id} and m::text like '%secret%'`
    expect(rows.count).toBe(0)
    const notices = await sql`select from public.notifications where message_id = ${id}`
    expect(notices.count).toBe(0)
    for (const [method, path, body] of [
      ['PATCH', '', { content: 'Back again' }],
      ['POST', '/reactions', { emoji: '👍' }],
    ] as const) {
      const refused = await apiAs(ada).expectError(method, `/api/messages/${id}${path}`, 409, { body })
      expect(refused).toEqual({ message: 'This message was deleted.', code: 'message_deleted' })
    }
    // An outbox that did not hear of it sends it again: it stays gone.
    const body = { id, receiverId: ben.id, content: 'A secret' }
    expect((await apiAs(ada).post('/api/messages', ChatMessage, body)).body).toEqual(left)
  })

  it('shows in the list, and is the sender’s alone', async () => {
    const { id } = await send(ada, ben, 'Latest')
    await apiAs(ben).expectError('DELETE', `/api/messages/${id}`, 403)
    expect((await apiAs(cleo).expectError('DELETE', `/api/messages/${id}`, 404)).message).toBe(
      'Message not found',
    )
    await apiAs(null).expectError('DELETE', `/api/messages/${id}`, 401)
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${id}`)
    const [first] = (await apiAs(ben).get('/api/messages/conversations', z.array(Conversation))).body
    expect(first?.lastMessage).toMatchObject({ id, content: '', deleted: true, hasImage: false })
  })

  it('is possible long after, and towards somebody who is blocked', async () => {
    const { id } = await send(cleo, ben, 'Regret')
    await age(id, 100_000)
    await apiAs(ben).post(`/api/users/${cleo.id}/block`, BlockResponse)
    const text = { body: { content: 'Regret it' } }
    await apiAs(cleo).expectError('PATCH', `/api/messages/${id}`, 403, text)
    await age(id, 0)
    expect((await apiAs(cleo).expectError('PATCH', `/api/messages/${id}`, 404, text)).code).toBe(
      'recipient_not_found',
    )
    const emoji = { body: { emoji: '👍' } }
    await apiAs(ben).expectError('POST', `/api/messages/${id}/reactions`, 404, emoji)
    await apiAs(cleo).expectNoContent('DELETE', `/api/messages/${id}`)
    expect((await one(ben, cleo, id))?.deleted).toBe(true)
    await apiAs(ben).expectNoContent('DELETE', `/api/users/${cleo.id}/block`)
  })
})

describe('answering', () => {
  it('quotes the beginning of a message of this conversation, as it is now', async () => {
    const asked = await send(ben, ada, `${'é'.repeat(250)}`)
    const { replyTo } = await send(ada, ben, 'Indeed', { replyToId: asked.id })
    expect(replyTo).toEqual({
      id: asked.id,
      seq: asked.seq,
      senderId: ben.id,
      content: 'é'.repeat(200),
      hasImage: false,
      deleted: false,
    })
    await edit(ben, asked.id, 'Changed')
    expect((await thread(ada, ben)).at(-1)?.replyTo?.content).toBe('Changed')
  })

  it('refuses any other message', async () => {
    const { id } = await send(cleo, ada, 'Elsewhere')
    for (const replyToId of [id, randomUUID()]) {
      const body = { receiverId: ben.id, content: 'What?', replyToId }
      expect((await apiAs(ada).expectError('POST', '/api/messages', 400, { body })).message).toBe(
        'The message you answer is not in this conversation.',
      )
    }
    const bad = { receiverId: ben.id, content: 'What?', replyToId: 'none' }
    await apiAs(ada).expectError('POST', '/api/messages', 400, { body: bad })
  })
})

describe('reacting', () => {
  const notices = async (id: string) =>
    (await sql`select from public.notifications where message_id = ${id} and user_id = ${ada.id}`).count

  it('adds each emoji once a person, takes it back, and tells the sender', async () => {
    const { id } = await send(ada, ben, 'News!')
    expect(await react(ben, id, '❤️')).toEqual([{ emoji: '❤️', userId: ben.id }])
    expect(await react(ada, id, '❤️')).toHaveLength(2)
    const all = await react(ben, id, '😂')
    expect(all).toEqual([
      { emoji: '❤️', userId: ben.id },
      { emoji: '❤️', userId: ada.id },
      { emoji: '😂', userId: ben.id },
    ])
    expect(await notices(id)).toBe(1)
    expect((await one(ada, ben, id))?.reactions).toEqual(all)
    for (const who of [ada, ben]) {
      const listed = await apiAs(who).get(`/api/messages/${id}/reactions`, z.array(MessageReaction))
      expect(listed.body.map(({ emoji, userId, user }) => ({ emoji, userId, name: user.username }))).toEqual([
        { emoji: '❤️', userId: ben.id, name: ben.username },
        { emoji: '❤️', userId: ada.id, name: ada.username },
        { emoji: '😂', userId: ben.id, name: ben.username },
      ])
    }
    expect(await react(ben, id, '❤️')).toHaveLength(2)
    expect(await notices(id)).toBe(1)
    expect(await react(ben, id, '😂')).toEqual([{ emoji: '❤️', userId: ada.id }])
    expect(await notices(id)).toBe(0)
  })

  it('is for the two, with what is offered', async () => {
    const { id } = await send(ada, ben, 'React!')
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
    expect((await one(ada, ben, id))?.reactions).toEqual([])
  })

  it('counts among 120 changes a minute', async () => {
    const { id } = await send(cleo, ada, 'Slow down')
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

describe('changes', () => {
  it('can be asked for after the last one that is known, page by page', async () => {
    const { dora, emil } = await createUsers('dora', 'emil')
    const sent: ChatMessage[] = []
    for (const content of ['a', 'b', 'c', 'd']) sent.push(await send(dora, emil, content))
    const [a = '', b = '', c = ''] = sent.map(({ id }) => id)
    await edit(dora, b, 'B')
    await react(emil, c, '🔥')
    await apiAs(dora).expectNoContent('DELETE', `/api/messages/${a}`)
    await edit(dora, b, 'B!')
    const path = `/api/messages/${dora.id}`
    const all = await apiAs(emil).get(`${path}?changedAfter=0`, z.array(ChatMessage))
    expect(all.body.map(({ id, version }) => [id, version])).toEqual([
      [c, 2],
      [a, 3],
      [b, 4],
    ])
    expect(all.next).toBeNull()
    const first = await apiAs(emil).get(`${path}?changedAfter=0&limit=2`, z.array(ChatMessage))
    expect(first.next).toBe('3')
    const rest = await apiAs(emil).get(`${path}?changedAfter=${first.next}`, z.array(ChatMessage))
    expect([...first.body, ...rest.body]).toEqual(all.body)
    expect(await thread(emil, dora, '?changedAfter=4')).toEqual([])
    expect(await thread(cleo, dora, '?changedAfter=0')).toEqual([])
    for (const bad of ['x', '-1', '1.5', '9'.repeat(30)])
      await apiAs(emil).expectError('GET', `${path}?changedAfter=${bad}`, 400)
  })
})
