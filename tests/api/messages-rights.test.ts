import { randomUUID } from 'node:crypto'
import { ChatMessage, Conversation, MessageSearchResult, ReactionsResponse } from '@contract/message.ts'
import { BlockResponse } from '@contract/user.ts'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { createPng } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, type TestUser } from '../support/users.ts'
import { webSocketTransport } from '../support/websocket-transport.ts'

/** One conversation, and everybody who has no part in it, by every door. */
const outsiders = ['visitor', 'stranger', 'admin', 'blocked'] as const
const people = {} as Record<(typeof outsiders)[number], TestUser | null>
let ada: TestUser
let ben: TestUser
let message: ChatMessage
let file: { id: string; path: string; url: string }
const secret = 'The words between the two'

beforeAll(async () => {
  const made = await createUsers('ada', 'ben', 'stranger', 'admin', 'blocked')
  ;({ ada, ben } = made)
  Object.assign(people, { visitor: null, stranger: made.stranger, admin: made.admin, blocked: made.blocked })
  await sql`update public.profiles set is_admin = true where id = ${made.admin.id}`
  await apiAs(ada).post(`/api/users/${made.blocked.id}/block`, BlockResponse)
  const { imageUrl } = await uploadImage(ada, createPng({ width: 20, height: 20 }))
  const body = { receiverId: ben.id, content: secret, imageUrl }
  message = (await apiAs(ada).post('/api/messages', ChatMessage, body, 201)).body
  await apiAs(ben).post(`/api/messages/${message.id}/reactions`, ReactionsResponse, { emoji: '👏' })
  const id = imageUrl.split('/').at(-1) ?? ''
  const [row] = await sql<{ path: string }[]>`select path from public.media where id = ${id}`
  file = { id, path: row?.path ?? '', url: imageUrl }
})

const bearer = (who: TestUser | null): Record<string, string> =>
  who ? { Authorization: `Bearer ${who.token}` } : {}
const rest = async (
  who: TestUser | null,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) =>
  await call(method, `/rest/v1/${path}`, {
    headers: { apikey: stack.publishableKey, Prefer: 'return=representation', ...bearer(who) },
    ...(body === undefined ? {} : { body }),
  })
/** Rows that are read, changed or removed; none where that is refused altogether. Fails on any other error. */
const rowsOf = async (answer: Response) => {
  const told: unknown = await answer.json()
  if ([401, 403].includes(answer.status)) return 0
  expect(answer.status).toBe(200)
  return z.array(z.unknown()).parse(told).length
}
/** What there is of the two in the Data API; an outsider is told of none of it. */
const tables = () => [
  `messages?id=eq.${message.id}`,
  'messages',
  'conversations',
  `conversation_members?or=(user_id.eq.${ada.id},other_id.eq.${ada.id})`,
  `media?id=eq.${file.id}`,
  `person_settings?user_id=eq.${ada.id}`,
]
/** How Realtime answers who asks to join each topic. */
const joins = async (who: TestUser | null, topics: string[]) => {
  const token = who?.token
  const client = createClient(stack.apiUrl, stack.publishableKey, {
    realtime: { transport: webSocketTransport },
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token ? { accessToken: async () => token } : {}),
  })
  await client.realtime.setAuth()
  const states = await Promise.all(
    topics.map(
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
const topicsOfTheTwo = () => [
  `user:${ada.id}`,
  `user:${ben.id}`,
  `conversation:${[ada.id, ben.id].sort().join(':')}`,
]
const stored = async () => await sql`select m.* from public.messages m where m.id = ${message.id}`

describe.each(outsiders)('%s', (name) => {
  const who = () => people[name]

  it('learns nothing and changes nothing by the API', async () => {
    const before = await stored()
    const missing = who() ? 404 : 401
    const { id } = message
    const text = { body: { content: 'Mine' } }
    await apiAs(who()).expectError('PATCH', `/api/messages/${id}`, missing, text)
    await apiAs(who()).expectError('DELETE', `/api/messages/${id}`, missing)
    await apiAs(who()).expectError('GET', `/api/messages/${id}/reactions`, missing)
    await apiAs(who()).expectError('POST', `/api/messages/${id}/reactions`, missing, {
      body: { emoji: '👍' },
    })
    await apiAs(who()).expectError('GET', `/api/media/${file.id}`, 404)
    if (who()) {
      for (const other of [ada, ben]) {
        for (const place of ['', `?around=${id}`, `?before=${id}`, `?after=${id}`, '?changedAfter=0']) {
          const answer = await call('GET', `/api/messages/${other.id}${place}`, { headers: bearer(who()) })
          expect([200, 404]).toContain(answer.status)
          if (answer.ok) expect(await answer.json()).toEqual([])
        }
      }
      expect((await apiAs(who()).get('/api/messages/conversations', z.array(Conversation))).body).toEqual([])
      const found = await apiAs(who()).get('/api/messages/search?q=between', z.array(MessageSearchResult))
      expect(found.body).toEqual([])
      // Neither the id nor the text may be had by answering it, nor its picture by sending it on.
      for (const more of [{ replyToId: id }, { imageUrl: file.url }]) {
        await apiAs(who()).expectError('POST', '/api/messages', 400, {
          body: { receiverId: ben.id, content: 'Hello', ...more },
        })
      }
      const same = { body: { id, receiverId: ben.id, content: 'Mine' } }
      expect((await apiAs(who()).expectError('POST', '/api/messages', 409, same)).code).toBe('conflict')
    }
    expect(await stored()).toEqual(before)
  })

  it('learns nothing and changes nothing by the Data API', async () => {
    const before = await stored()
    for (const path of tables()) {
      expect([path, await rowsOf(await rest(who(), 'GET', path))]).toEqual([path, 0])
    }
    const changes = { content: 'Mine', reactions: [], media_id: null }
    expect(await rowsOf(await rest(who(), 'PATCH', `messages?id=eq.${message.id}`, changes))).toBe(0)
    expect(await rowsOf(await rest(who(), 'DELETE', `messages?id=eq.${message.id}`))).toBe(0)
    for (const more of [{ reply_to_id: message.id }, { media_id: file.id }, { sender_id: ada.id }]) {
      const sent = await rest(who(), 'POST', 'messages', { receiver_id: ben.id, content: 'Hello', ...more })
      expect([more, sent.ok]).toEqual([more, false])
    }
    for (const call of ['react_to_message', 'edit_message', 'find_messages', 'message_json', 'thread_back'])
      expect((await rest(who(), 'POST', `rpc/${call}`, {})).ok).toBe(false)
    expect(await stored()).toEqual(before)
  })

  it('gets no file from Storage', async () => {
    const headers = { apikey: stack.publishableKey, ...bearer(who()) }
    for (const door of ['object', 'object/authenticated', 'object/public']) {
      const answer = await call('GET', `/storage/v1/${door}/media/${file.path}`, { headers })
      expect([door, answer.ok]).toEqual([door, false])
      await answer.body?.cancel()
    }
    const sign = { headers, body: { expiresIn: 60 } }
    expect((await call('POST', `/storage/v1/object/sign/media/${file.path}`, sign)).ok).toBe(false)
    expect((await call('DELETE', `/storage/v1/object/media/${file.path}`, { headers })).ok).toBe(false)
  })

  it('joins no topic of the two', async () => {
    expect(await joins(who(), topicsOfTheTwo())).toEqual(['CHANNEL_ERROR', 'CHANNEL_ERROR', 'CHANNEL_ERROR'])
  })
})

describe('the two', () => {
  it('have what the others are refused', async () => {
    for (const path of tables()) {
      // Each has a row of the conversation, and Ada sees both.
      const rows = path.startsWith('conversation_members') ? 2 : 1
      expect([path, await rowsOf(await rest(ada, 'GET', path))]).toEqual([path, rows])
    }
    expect(await joins(ada, topicsOfTheTwo())).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
  })

  it('cannot write by the Data API what only the server writes', async () => {
    const sets = {
      content: 'Another',
      version: 9,
      reactions: [],
      edited_at: null,
      deleted_at: null,
      seq: 9,
      media_id: null,
      search_text: 'x',
    }
    for (const [column, value] of Object.entries(sets)) {
      for (const who of [ada, ben]) {
        const changed = await rest(who, 'PATCH', `messages?id=eq.${message.id}`, { [column]: value })
        expect([column, changed.ok]).toEqual([column, false])
      }
      if (column === 'content' || column === 'media_id') continue
      const sent = await rest(ada, 'POST', 'messages', {
        receiver_id: ben.id,
        content: 'Hi',
        [column]: value ?? 'now',
      })
      expect([column, sent.ok]).toEqual([column, false])
    }
    expect((await rest(ada, 'DELETE', `messages?id=eq.${message.id}`)).ok).toBe(false)
    expect(await rowsOf(await rest(ben, 'GET', `messages?id=eq.${message.id}`))).toBe(1)
  })

  it('alone are told of what happens', async () => {
    const events = await sql<{ topic: string; event: string }[]>`
      select topic, event from realtime.messages where payload::text like ${`%${message.id}%`} order by 1, 2`
    const told = [ada, ben].map(({ id }) => `user:${id}`).sort()
    expect(events.map(({ topic, event }) => `${topic} ${event}`)).toEqual(
      told.flatMap((topic) => [`${topic} message.created`, `${topic} reaction.changed`]),
    )
  })
})

describe('what a message says', () => {
  let broken: FunctionServer
  afterAll(() => broken?.stop())

  it('is in no log, even when a call fails', async () => {
    broken = await startApiServer({
      DATABASE_URL: 'postgres://gateway:none@127.0.0.1:1/none',
      LOG_LEVEL: 'debug',
    })
    const words = `Logged? ${randomUUID()}`
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${broken.url}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...bearer(ada) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await ask('POST', '/api/messages', { receiverId: ben.id, content: words })).toBe(503)
    expect(await ask('PATCH', `/api/messages/${message.id}`, { content: words })).toBe(503)
    expect(await ask('GET', `/api/messages/search?q=${encodeURIComponent(words)}`)).toBe(503)
    const said = broken.output()
    expect(said.split('\n').filter((line) => line.includes('request_failed'))).toHaveLength(3)
    for (const word of [words, encodeURIComponent(words), words.slice(8), message.id, ada.token]) {
      expect(said).not.toContain(word)
    }
  })
})
