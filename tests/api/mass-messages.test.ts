import { randomUUID } from 'node:crypto'
import { MassMessages } from '@contract/mass-message.ts'
import { ChatMessage, Conversation } from '@contract/message.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { subscribe } from '../support/content-api.ts'
import { runJob } from '../support/run-job.ts'
import { sql } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let otherFan: TestUser
let stranger: TestUser
const path = '/api/messages/mass'

const list = async (user: TestUser) => (await apiAs(user).get(path, MassMessages)).body
const waitUntilFinished = () =>
  expect.poll(async () => (await list(creator)).messages.every(({ finishedAt }) => finishedAt)).toBe(true)

beforeAll(async () => {
  ;({ creator, fan, otherFan, stranger } = await createUsers('creator', 'fan', 'otherFan', 'stranger'))
  await makeCreator(creator)
})

describe('POST /api/messages/mass', () => {
  it('rejects visitors, users who are not creators, creators without subscribers, and invalid bodies', async () => {
    const body = { id: randomUUID(), content: 'Hello' }
    await apiAs(null).expectError('POST', path, 401, { body })
    // The role is checked before the body.
    for (const sent of [body, {}]) {
      const error = await apiAs(stranger).expectError('POST', path, 403, { body: sent })
      expect(error.code).toBe('creators_only')
    }
    const error = await apiAs(creator).expectError('POST', path, 409, { body })
    expect(error.message).toBe('You have no subscribers whom you can message.')
    for (const invalid of [
      {},
      { content: 'x' },
      { ...body, content: ' ' },
      { ...body, content: 'x'.repeat(5001) },
    ])
      await apiAs(creator).expectError('POST', path, 400, { body: invalid })
  })

  it('messages every subscriber once, even if the request is repeated', async () => {
    await subscribe(fan, creator)
    await subscribe(otherFan, creator)
    expect(await list(creator)).toEqual({ subscribers: 2, recipients: 2, nextAt: null, messages: [] })
    const body = { id: randomUUID(), content: 'New post for you: /post/x' }
    const first = await apiAs(creator).post(path, MassMessages, body, 201)
    expect(first.body.messages).toMatchObject([{ id: body.id, content: body.content, recipients: 2 }])
    await Promise.all([1, 2, 3].map(() => apiAs(creator).post(path, MassMessages, body, 200)))
    await waitUntilFinished()
    expect((await list(creator)).messages).toMatchObject([{ sent: 2, read: 0, stopped: false }])
    for (const user of [fan, otherFan]) {
      const messages = (await apiAs(user).get(`/api/messages/${creator.id}`, z.array(ChatMessage))).body
      expect(messages).toMatchObject([{ content: body.content, senderId: creator.id, toSubscribers: true }])
    }
    const reply = { receiverId: creator.id, content: 'Thanks' }
    const sent = await apiAs(fan).post('/api/messages', ChatMessage, reply, 201)
    expect(sent.body.toSubscribers).toBe(false)
    const conversations = (await apiAs(creator).get('/api/messages/conversations', z.array(Conversation)))
      .body
    expect(conversations.map(({ lastMessage }) => lastMessage?.content)).toEqual(['Thanks', undefined])
  })

  it('shows other users nothing, and does not let them stop a mass message', async () => {
    const [{ id } = { id: '' }] = (await list(creator)).messages
    for (const user of [stranger, fan])
      expect(await list(user)).toEqual({ subscribers: 0, recipients: 0, nextAt: null, messages: [] })
    await apiAs(null).expectError('GET', path, 401)
    await apiAs(null).expectError('POST', `${path}/${id}/stop`, 401)
    for (const user of [stranger, fan]) await apiAs(user).expectError('POST', `${path}/${id}/stop`, 404)
    await apiAs(creator).expectError('POST', `${path}/${randomUUID()}/stop`, 404)
    await apiAs(creator).expectError('POST', `${path}/x/stop`, 404)
    // Stopping a finished mass message changes nothing.
    const stopped = await apiAs(creator).post(`${path}/${id}/stop`, MassMessages)
    expect(stopped.body.messages).toMatchObject([{ id, stopped: false, sent: 2 }])
  })

  it('allows three in 24 hours, and says when the next one is possible', async () => {
    for (const content of ['Second', 'Third']) {
      await apiAs(creator).post(path, MassMessages, { id: randomUUID(), content }, 201)
      await waitUntilFinished()
    }
    const { nextAt } = await list(creator)
    expect(Date.parse(nextAt ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
    const body = { id: randomUUID(), content: 'Fourth' }
    const error = await apiAs(creator).expectError('POST', path, 429, { body })
    expect(error.message).toBe('You can message your subscribers 3 times a day.')
    expect((await list(creator)).messages.map(({ content }) => content)).toEqual([
      'Third',
      'Second',
      'New post for you: /post/x',
    ])
  })
})

describe('the mass-messages job', () => {
  it('finishes a mass message that was interrupted', async () => {
    const id = randomUUID()
    await sql`
      insert into public.mass_messages (id, creator_id, content, recipients) values (${id}, ${creator.id}, 'Late', 2)`
    expect((await runJob('mass-messages')).status).toBe(200)
    await waitUntilFinished()
    expect(await sql`select from public.messages where mass_message_id = ${id}`).toHaveLength(2)
  })

  it('sends the other mass messages while another transaction holds the lock of one creator', async () => {
    const { busy } = await createUsers('busy')
    const ids = [randomUUID(), randomUUID()] as const
    await sql`insert into public.mass_messages (id, creator_id, content, recipients, created_at) values
              (${ids[0]}, ${busy.id}, 'First', 2, now() - interval '1 minute'), (${ids[1]}, ${creator.id}, 'Second', 2, now())`
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(private.follows_lock_key(${busy.id}))`
      expect((await runJob('mass-messages')).status).toBe(200)
      await waitUntilFinished()
      expect(
        await sql`select from public.mass_messages where id = ${ids[0]} and finished_at is null`,
      ).toHaveLength(1)
    })
    expect(await sql`select from public.messages where mass_message_id = ${ids[1]}`).toHaveLength(2)
    // The lock has been released. Because `busy` is not a creator, the job stops the message instead of sending it.
    expect((await runJob('mass-messages')).status).toBe(200)
    expect(await sql`select from public.mass_messages where id = ${ids[0]} and stopped`).toHaveLength(1)
  })
})
