import { randomUUID } from 'node:crypto'
import { ChatMessage, Conversation, MessageSearchResult, ReactionsResponse } from '@contract/message.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeAdmin, type TestUser } from '../support/users.ts'

/** Users without access to the conversation between Ada and Ben. */
const outsiders = ['visitor', 'stranger', 'admin', 'blocked'] as const
const users = {} as Record<(typeof outsiders)[number], TestUser | null>
let ada: TestUser
let ben: TestUser
let message: ChatMessage
let file: { id: string; path: string; url: string }
const secret = 'Words between the two users'

beforeAll(async () => {
  const created = await createUsers('ada', 'ben', 'stranger', 'admin', 'blocked')
  ;({ ada, ben } = created)
  Object.assign(users, {
    visitor: null,
    stranger: created.stranger,
    admin: created.admin,
    blocked: created.blocked,
  })
  await makeAdmin(created.admin)
  await apiAs(ada).post(`/api/users/${created.blocked.id}/block`, BlockResponse)
  const { imageUrl } = await uploadImage(ada)
  const body = { receiverId: ben.id, content: secret, imageUrl }
  message = (await apiAs(ada).post('/api/messages', ChatMessage, body, 201)).body
  await apiAs(ben).post(`/api/messages/${message.id}/reactions`, ReactionsResponse, { emoji: '👏' })
  const id = imageUrl.split('/').at(-1) ?? ''
  const [row] = await sql<{ path: string }[]>`select path from public.media where id = ${id}`
  file = { id, path: row?.path ?? '', url: imageUrl }
})

const callDataApi = async (
  user: TestUser | null,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) =>
  await call(method, `/rest/v1/${path}`, {
    headers: { apikey: stack.publishableKey, Prefer: 'return=representation', ...authorizationHeader(user) },
    ...(body === undefined ? {} : { body }),
  })
/** Returns how many rows were read, changed or deleted, or 0 if access was denied. Fails on any other error. */
const countReturnedRows = async (response: Response) => {
  const body: unknown = await response.json()
  if ([401, 403].includes(response.status)) return 0
  expect(response.status).toBe(200)
  return z.array(z.unknown()).parse(body).length
}
/** Returns Data API paths of rows that outsiders are not allowed to read. */
const privateRows = () => [
  `messages?id=eq.${message.id}`,
  'messages',
  'conversations',
  `conversation_members?or=(user_id.eq.${ada.id},partner_id.eq.${ada.id})`,
  `media?id=eq.${file.id}`,
  `user_settings?user_id=eq.${ada.id}`,
]
/** Returns the subscription state for each topic. */
const joinTopics = async (user: TestUser | null, topicNames: string[]) => {
  const client = createTestClient(stack, user?.token)
  await client.realtime.setAuth()
  const states = await Promise.all(
    topicNames.map(
      (topic) =>
        new Promise<string>((resolve) => {
          client.channel(topic, { config: { private: true } }).subscribe((state) => resolve(state))
        }),
    ),
  )
  await client.removeAllChannels()
  await client.realtime.disconnect()
  return states
}
const privateTopics = () => [
  `user:${ada.id}`,
  `user:${ben.id}`,
  `conversation:${[ada.id, ben.id].sort().join(':')}`,
]
const storedMessage = async () => await sql`select m.* from public.messages m where m.id = ${message.id}`

describe.each(outsiders)('an outsider (%s)', (name) => {
  const user = () => users[name]

  it('cannot read or change anything through the API', async () => {
    const before = await storedMessage()
    const deniedStatus = user() ? 404 : 401
    const { id } = message
    const changes = { body: { content: 'Mine' } }
    await apiAs(user()).expectError('PATCH', `/api/messages/${id}`, deniedStatus, changes)
    await apiAs(user()).expectError('DELETE', `/api/messages/${id}`, deniedStatus)
    await apiAs(user()).expectError('GET', `/api/messages/${id}/reactions`, deniedStatus)
    await apiAs(user()).expectError('POST', `/api/messages/${id}/reactions`, deniedStatus, {
      body: { emoji: '👍' },
    })
    await apiAs(user()).expectError('GET', `/api/media/${file.id}`, 404)
    if (user()) {
      for (const other of [ada, ben]) {
        for (const query of ['', `?around=${id}`, `?before=${id}`, `?after=${id}`, '?changedAfter=0']) {
          const response = await call('GET', `/api/messages/${other.id}${query}`, {
            headers: authorizationHeader(user()),
          })
          expect([200, 404]).toContain(response.status)
          if (response.ok) expect(await response.json()).toEqual([])
        }
      }
      expect((await apiAs(user()).get('/api/messages/conversations', z.array(Conversation))).body).toEqual([])
      const found = await apiAs(user()).get('/api/messages/search?q=between', z.array(MessageSearchResult))
      expect(found.body).toEqual([])
      // Neither a reply nor a reused image may reveal that the message exists or what it contains.
      for (const extra of [{ replyToId: id }, { imageUrl: file.url }]) {
        await apiAs(user()).expectError('POST', '/api/messages', 400, {
          body: { receiverId: ben.id, content: 'Hello', ...extra },
        })
      }
      const same = { body: { id, receiverId: ben.id, content: 'Mine' } }
      expect((await apiAs(user()).expectError('POST', '/api/messages', 409, same)).code).toBe('conflict')
    }
    expect(await storedMessage()).toEqual(before)
  })

  it('cannot read or change anything through the Data API', async () => {
    const before = await storedMessage()
    for (const path of privateRows()) {
      expect([path, await countReturnedRows(await callDataApi(user(), 'GET', path))]).toEqual([path, 0])
    }
    const changes = { content: 'Mine', reactions: [], media_id: null }
    expect(
      await countReturnedRows(await callDataApi(user(), 'PATCH', `messages?id=eq.${message.id}`, changes)),
    ).toBe(0)
    expect(await countReturnedRows(await callDataApi(user(), 'DELETE', `messages?id=eq.${message.id}`))).toBe(
      0,
    )
    for (const extra of [{ reply_to_id: message.id }, { media_id: file.id }, { sender_id: ada.id }]) {
      const sent = await callDataApi(user(), 'POST', 'messages', {
        receiver_id: ben.id,
        content: 'Hello',
        ...extra,
      })
      expect([extra, sent.ok]).toEqual([extra, false])
    }
    const calls = {
      toggle_reaction: { message_id: message.id, emoji: '👍' },
      edit_message: { message_id: message.id, new_content: 'Mine' },
      search_messages: { query_text: 'between', after_created_at: null, after_id: null, max_rows: 50 },
      message_json: { message: before[0], receiver_read_seq: 1, reader_id: ada.id },
      messages_before: { other_user_id: ada.id, before_id: null, is_inclusive: true, max_rows: 50 },
    }
    for (const [name, parameters] of Object.entries(calls)) {
      // Checks the parameter names first, because with wrong names, even an exposed function would return this 404.
      const [internal] = await sql<{ parameters: string[] }[]>`
        select proargnames[:pronargs] as parameters from pg_proc
        where pronamespace = 'private'::regnamespace and proname = ${name}`
      expect([name, internal?.parameters]).toEqual([name, Object.keys(parameters)])
      const response = await callDataApi(user(), 'POST', `rpc/${name}`, parameters)
      expect([name, response.status, await response.json()]).toMatchObject([name, 404, { code: 'PGRST202' }])
    }
    expect(await storedMessage()).toEqual(before)
  })

  it('cannot download or delete the image file in Storage, or create a signed URL for it', async () => {
    const headers = { apikey: stack.publishableKey, ...authorizationHeader(user()) }
    for (const endpoint of ['object', 'object/authenticated', 'object/public']) {
      const response = await call('GET', `/storage/v1/${endpoint}/media/${file.path}`, { headers })
      expect([endpoint, response.ok]).toEqual([endpoint, false])
      await response.body?.cancel()
    }
    const sign = { headers, body: { expiresIn: 60 } }
    expect((await call('POST', `/storage/v1/object/sign/media/${file.path}`, sign)).ok).toBe(false)
    expect((await call('DELETE', `/storage/v1/object/media/${file.path}`, { headers })).ok).toBe(false)
  })

  it('cannot join the topics of the two users', async () => {
    expect(await joinTopics(user(), privateTopics())).toEqual([
      'CHANNEL_ERROR',
      'CHANNEL_ERROR',
      'CHANNEL_ERROR',
    ])
  })
})

describe('the two users', () => {
  it('can read the private rows and join their own topic and the conversation’s topic (tested for Ada)', async () => {
    for (const path of privateRows()) {
      // Each user has a membership row, and Ada can see both.
      const rows = path.startsWith('conversation_members') ? 2 : 1
      expect([path, await countReturnedRows(await callDataApi(ada, 'GET', path))]).toEqual([path, rows])
    }
    expect(await joinTopics(ada, privateTopics())).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
  })

  it('cannot change or delete messages or set server-only columns through the Data API', async () => {
    const columns = {
      content: 'Another',
      version: 9,
      reactions: [],
      edited_at: null,
      deleted_at: null,
      seq: 9,
      media_id: null,
      search_text: 'x',
    }
    for (const [column, value] of Object.entries(columns)) {
      for (const user of [ada, ben]) {
        const changed = await callDataApi(user, 'PATCH', `messages?id=eq.${message.id}`, { [column]: value })
        expect([column, changed.ok]).toEqual([column, false])
      }
      if (column === 'content' || column === 'media_id') continue
      const sent = await callDataApi(ada, 'POST', 'messages', {
        receiver_id: ben.id,
        content: 'Hi',
        [column]: value ?? 'now',
      })
      expect([column, sent.ok]).toEqual([column, false])
    }
    expect((await callDataApi(ada, 'DELETE', `messages?id=eq.${message.id}`)).ok).toBe(false)
    expect(await countReturnedRows(await callDataApi(ben, 'GET', `messages?id=eq.${message.id}`))).toBe(1)
  })

  it('are the only recipients of broadcasts about the message', async () => {
    const events = await sql<{ topic: string; event: string }[]>`
      select topic, event from realtime.messages where payload::text like ${`%${message.id}%`} order by 1, 2`
    const userTopics = [ada, ben].map(({ id }) => `user:${id}`).sort()
    expect(events.map(({ topic, event }) => `${topic} ${event}`)).toEqual(
      userTopics.flatMap((topic) => [`${topic} message.created`, `${topic} reaction.changed`]),
    )
  })
})

describe('message content', () => {
  let apiWithoutDatabase: FunctionServer
  afterAll(() => apiWithoutDatabase?.stop())

  it('does not appear in logs, even if a request fails', async () => {
    apiWithoutDatabase = await startApiServer({
      DATABASE_URL: 'postgres://gateway:none@127.0.0.1:1/none',
      LOG_LEVEL: 'debug',
    })
    const text = `Logged? ${randomUUID()}`
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${apiWithoutDatabase.url}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...authorizationHeader(ada) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await response.body?.cancel()
      return response.status
    }
    expect(await send('POST', '/api/messages', { receiverId: ben.id, content: text })).toBe(503)
    expect(await send('PATCH', `/api/messages/${message.id}`, { content: text })).toBe(503)
    expect(await send('GET', `/api/messages/search?q=${encodeURIComponent(text)}`)).toBe(503)
    const output = apiWithoutDatabase.output()
    expect(output.split('\n').filter((line) => line.includes('request_failed'))).toHaveLength(3)
    for (const secretText of [text, encodeURIComponent(text), text.slice(8), message.id, ada.token]) {
      expect(output).not.toContain(secretText)
    }
  })
})
