import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sql, stack } from '../support/stack.ts'
import {
  connectClient,
  conversationTopic,
  createConversationPartners,
  createRealtimeUser,
  newTopic,
  protocolVersions,
  recordFirstMessage,
  secretKey,
  sendFromDatabase,
  subscribeToChannel,
} from './realtime-fixture.ts'

const quietMs = 300

/** Posts to the broadcast endpoint and returns the status. */
async function postBroadcast(
  path: string,
  token: string,
  body: BodyInit,
  type = 'application/json',
): Promise<number> {
  const response = await fetch(`${stack.apiUrl}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, apikey: stack.publishableKey, 'content-type': type },
    body,
  })
  await response.body?.cancel()
  return response.status
}

describe.each(protocolVersions)('a broadcast between clients with protocol %s', (vsn) => {
  it('reaches the other clients, and the sender only if configured', async () => {
    const topic = newTopic()
    const clients = await Promise.all([connectClient(vsn, secretKey), connectClient(vsn, secretKey)])
    const withoutSelf = await subscribeToChannel(clients[0], topic)
    const withSelf = await subscribeToChannel(clients[1], topic, { broadcast: { self: true } })
    await withoutSelf.channel.send({ type: 'broadcast', event: 'first', payload: { text: 'grüße 👋' } })
    await withSelf.broadcasts.waitFor(({ event }) => event === 'first')
    await withSelf.channel.send({ type: 'broadcast', event: 'second', payload: { n: 2 } })
    await withoutSelf.broadcasts.waitFor(({ event }) => event === 'second')
    await withSelf.broadcasts.waitFor(({ event }) => event === 'second')
    expect(withoutSelf.broadcasts.all).toEqual([{ type: 'broadcast', event: 'second', payload: { n: 2 } }])
    expect(withSelf.broadcasts.all[0]).toEqual({
      type: 'broadcast',
      event: 'first',
      payload: { text: 'grüße 👋' },
    })
  })

  it('is acknowledged when the client requests acknowledgements', async () => {
    const { channel } = await subscribeToChannel(await connectClient(vsn, secretKey), newTopic(), {
      broadcast: { ack: true },
    })
    expect(await channel.send({ type: 'broadcast', event: 'hello', payload: {} })).toBe('ok')
  })

  it('reaches the other user of a conversation in order, even if only that user enables presence', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const [adaClient, benClient] = await Promise.all([
      connectClient(vsn, await ada.token()),
      connectClient(vsn, await ben.token()),
    ])
    const sender = await subscribeToChannel(adaClient, topic, { broadcast: { ack: true } })
    const receiver = await subscribeToChannel(benClient, topic, { presence: { enabled: true } })
    const sent = ['a', 'b', 'c', 'd'].map((text) => ({
      type: 'broadcast' as const,
      event: 'typing',
      payload: { text },
    }))
    const replies = await Promise.all(sent.map((message) => sender.channel.send(message)))
    expect(replies).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(await receiver.broadcasts.waitForCount(4)).toEqual(sent)
  })

  it('is neither delivered nor acknowledged without write permission', async () => {
    const ada = await createRealtimeUser()
    const [receiver, sender] = await Promise.all([
      connectClient(vsn, await ada.token()).then((client) => subscribeToChannel(client, `user:${ada.id}`)),
      connectClient(vsn, await ada.token()).then((client) =>
        subscribeToChannel(client, `user:${ada.id}`, { broadcast: { ack: true } }),
      ),
    ])
    const message = { type: 'broadcast' as const, event: 'forged', payload: {} }
    expect(await sender.channel.send(message, { timeout: quietMs })).toBe('timed out')
    expect(receiver.broadcasts.all).toEqual([])
    expect(await sql`select 1 from realtime.messages where topic = ${`user:${ada.id}`}`).toEqual([])
  })
})

describe('a broadcast across protocol versions', () => {
  it('delivers JSON in both directions, and bytes only to clients with protocol 2.0.0', async () => {
    const topic = newTopic()
    const old = await subscribeToChannel(await connectClient('1.0.0', secretKey), topic)
    const sender = await subscribeToChannel(await connectClient('2.0.0', secretKey), topic)
    const reader = await subscribeToChannel(await connectClient('2.0.0', secretKey), topic)
    await sender.channel.send({ type: 'broadcast', event: 'json', payload: { a: [1, 'ä', null] } })
    const bytes = Uint8Array.of(0, 1, 254, 255).buffer
    await sender.channel.send({ type: 'broadcast', event: 'bytes', payload: bytes })
    await old.channel.send({ type: 'broadcast', event: 'from-old', payload: { ok: true } })
    await reader.broadcasts.waitForCount(3)
    // The broadcasts of two senders may arrive in either order.
    const received = (name: string) => reader.broadcasts.waitFor(({ event }) => event === name)
    expect((await received('json')).payload).toEqual({ a: [1, 'ä', null] })
    expect(new Uint8Array((await received('bytes')).payload as ArrayBuffer)).toEqual(
      Uint8Array.of(0, 1, 254, 255),
    )
    expect(await received('from-old')).toEqual({
      type: 'broadcast',
      event: 'from-old',
      payload: { ok: true },
    })
    await sleep(quietMs)
    expect(old.broadcasts.all.map(({ event }) => event)).toEqual(['json'])
  })
})

describe.each(protocolVersions)('a broadcast from the database with protocol %s', (vsn) => {
  it('reaches the private topic with the ID of its row', async () => {
    const ada = await createRealtimeUser()
    const own = await subscribeToChannel(await connectClient(vsn, await ada.token()), `user:${ada.id}`)
    await sendFromDatabase(`user:${ada.id}`, 'notification.created', { text: 'héllo "quoted"\n👋' })
    const received = await own.broadcasts.waitFor(({ event }) => event === 'notification.created')
    const [row] = await sql<{ id: string }[]>`
      select id from realtime.messages where topic = ${`user:${ada.id}`} and event = 'notification.created'`
    expect(received).toEqual({
      type: 'broadcast',
      event: 'notification.created',
      payload: { text: 'héllo "quoted"\n👋', id: row?.id },
      meta: { id: row?.id },
    })
  })

  it('keeps an ID chosen by the sender, and arrives in order among many short and long ones', async () => {
    const topic = newTopic()
    const { broadcasts } = await subscribeToChannel(await connectClient(vsn, secretKey), topic)
    await sql`
      select realtime.send(jsonb_build_object('id', n, 'text', repeat('ü', case when n % 7 = 0 then 9000 else 9 end)),
                           'burst', ${topic}, true)
      from generate_series(1, 300) as n order by n`
    const received = await broadcasts.waitForCount(300)
    expect(received.map(({ payload }) => (payload as { id: number }).id)).toEqual(
      Array.from({ length: 300 }, (_, index) => index + 1),
    )
  })

  it('is not sent when its transaction is rolled back', async () => {
    const topic = newTopic()
    const { broadcasts } = await subscribeToChannel(await connectClient(vsn, secretKey), topic)
    await sql
      .begin(async (tx) => {
        await tx`select realtime.send('{}', 'undone', ${topic}, true)`
        throw new Error('undo')
      })
      .catch((error: Error) => expect(error.message).toBe('undo'))
    await sendFromDatabase(topic, 'done', {})
    await broadcasts.waitFor(({ event }) => event === 'done')
    expect(broadcasts.all).toHaveLength(1)
  })
})

describe('the HTTP broadcast endpoint', () => {
  it('supports httpSend of supabase-js and the older batch format', async () => {
    const topic = newTopic()
    const reader = await subscribeToChannel(await connectClient('2.0.0', secretKey), topic)
    const { supabase } = await connectClient('2.0.0', secretKey)
    const channel = supabase.channel(topic, { config: { private: true } })
    expect(await channel.httpSend('single/one', { n: 1 })).toEqual({ success: true })
    expect(await channel.httpSend('bytes', Uint8Array.of(7, 8))).toEqual({ success: true })
    const messages = [
      { topic, event: 'batch', payload: { n: 2 }, private: true },
      { topic, event: 'batch', payload: { n: 3 }, private: true },
    ]
    expect(await postBroadcast('', secretKey, JSON.stringify({ messages }))).toBe(202)
    const received = await reader.broadcasts.waitForCount(4)
    expect(received[0]).toEqual({ type: 'broadcast', event: 'single/one', payload: { n: 1 } })
    expect(new Uint8Array(received[1]?.payload as ArrayBuffer)).toEqual(Uint8Array.of(7, 8))
    expect(received.slice(2).map(({ payload }) => payload)).toEqual([{ n: 2 }, { n: 3 }])
  })

  it('delivers to a private topic only with write permission', async () => {
    const [ada, ben, eve] = await Promise.all([
      createRealtimeUser(),
      createRealtimeUser(),
      createRealtimeUser(),
    ])
    await recordFirstMessage(ada, ben)
    const topic = conversationTopic(ada, ben)
    const reader = await subscribeToChannel(await connectClient('2.0.0', await ben.token()), topic)
    const path = `/${encodeURIComponent(topic)}/events/typing?private=true`
    expect(await postBroadcast(path, await eve.token(), '{"by":"eve"}')).toBe(403)
    // Ben has not sent Ada a message.
    expect(await postBroadcast(path, await ben.token(), '{"by":"ben"}')).toBe(403)
    expect(await postBroadcast(path, stack.publishableKey, '{"by":"visitor"}')).toBe(403)
    const forged = { messages: [{ topic, event: 'typing', payload: { by: 'eve' }, private: true }] }
    expect(await postBroadcast('', await eve.token(), JSON.stringify(forged))).toBe(202)
    expect(await postBroadcast(path, await ada.token(), '{"by":"ada"}')).toBe(202)
    expect(await postBroadcast(path, secretKey, '{"by":"operator"}')).toBe(202)
    const received = await reader.broadcasts.waitForCount(2)
    expect(received.map(({ payload }) => payload)).toEqual([{ by: 'ada' }, { by: 'operator' }])
  })

  it('rejects more than 4 kB from a user, in a single message and in a batch', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const reader = await subscribeToChannel(await connectClient('2.0.0', await ben.token()), topic)
    const [token, path] = [await ada.token(), `/${encodeURIComponent(topic)}/events/typing?private=true`]
    const batch = (...lengths: number[]) => {
      const payloads = lengths.map((length) => ({ text: 'x'.repeat(length) }))
      return JSON.stringify({
        messages: payloads.map((payload) => ({ topic, event: 'typing', payload, private: true })),
      })
    }
    expect(await postBroadcast(path, token, JSON.stringify('x'.repeat(3_999)))).toBe(413)
    expect(await postBroadcast(path, token, new Uint8Array(4_001), 'application/octet-stream')).toBe(413)
    expect(await postBroadcast('', token, batch(1, 4_000))).toBe(422)
    expect(await postBroadcast('', token, batch(400_000))).toBe(413)
    expect(await postBroadcast('', secretKey, batch(400_000))).toBe(202)
    expect(await postBroadcast(path, token, JSON.stringify('x'.repeat(3_998)))).toBe(202)
    expect(await postBroadcast('', token, batch(3_900))).toBe(202)
    const received = await reader.broadcasts.waitForCount(3)
    expect(received.map(({ payload }) => JSON.stringify(payload).length)).toEqual([400_011, 4_000, 3_911])
  })

  it('rejects a public topic regardless of the key or token', async () => {
    const ada = await createRealtimeUser()
    const body = JSON.stringify({ messages: [{ topic: `user:${ada.id}`, event: 'e', payload: {} }] })
    for (const token of [stack.publishableKey, await ada.token(), secretKey]) {
      expect(await postBroadcast(`/user:${ada.id}/events/e`, token, '{}')).toBe(403)
      expect(await postBroadcast('', token, body)).toBe(403)
    }
  })

  it('rejects malformed and oversized requests', async () => {
    const path = `/${newTopic()}/events/e?private=true`
    expect(await postBroadcast(path, 'nonsense', '{}')).toBe(401)
    expect(await postBroadcast(path, stack.publishableKey, '{')).toBe(400)
    expect(await postBroadcast(path, stack.publishableKey, 'x', 'text/plain')).toBe(415)
    expect(await postBroadcast('', stack.publishableKey, '{"messages":[{"topic":""}]}')).toBe(422)
    const message = (topic: string) => ({ topic, event: 'e', payload: {}, private: true })
    const batch = (messages: object[]) =>
      postBroadcast('', stack.publishableKey, JSON.stringify({ messages }))
    expect(await batch([message('x'.repeat(247))])).toBe(422)
    expect(await batch(Array.from({ length: 101 }, () => message('x')))).toBe(422)
    expect(await postBroadcast(path, stack.publishableKey, JSON.stringify('x'.repeat(3_000_001)))).toBe(413)
  })
})
