import { describe, expect, it } from 'vitest'
import {
  connect,
  conversationTopic,
  createPerson,
  createTalkers,
  haveWritten,
  newTopic,
  operator,
  sendFromDatabase,
  sleep,
  sql,
  stack,
  subscribed,
  versions,
} from './support.ts'

const QUIET_MS = 300

async function post(path: string, token: string, body: BodyInit, type = 'application/json'): Promise<number> {
  const response = await fetch(`${stack.apiUrl}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, apikey: stack.publishableKey, 'content-type': type },
    body,
  })
  await response.body?.cancel()
  return response.status
}

describe.each(versions)('broadcasting between clients with protocol %s', (vsn) => {
  it('reaches the others, and the sender only if it wants', async () => {
    const topic = newTopic()
    const [quiet, loud] = await Promise.all([connect(vsn, operator), connect(vsn, operator)])
    const one = await subscribed(quiet, topic)
    const two = await subscribed(loud, topic, { broadcast: { self: true } })
    await one.channel.send({ type: 'broadcast', event: 'first', payload: { text: 'grüße 👋' } })
    await two.broadcasts.until(({ event }) => event === 'first')
    await two.channel.send({ type: 'broadcast', event: 'second', payload: { n: 2 } })
    await one.broadcasts.until(({ event }) => event === 'second')
    await two.broadcasts.until(({ event }) => event === 'second')
    expect(one.broadcasts.all).toEqual([{ type: 'broadcast', event: 'second', payload: { n: 2 } }])
    expect(two.broadcasts.all[0]).toEqual({
      type: 'broadcast',
      event: 'first',
      payload: { text: 'grüße 👋' },
    })
  })

  it('is answered when the client asks for it', async () => {
    const { channel } = await subscribed(await connect(vsn, operator), newTopic(), {
      broadcast: { ack: true },
    })
    expect(await channel.send({ type: 'broadcast', event: 'hello', payload: {} })).toBe('ok')
  })

  it('passes between two people who may write, with presence and without', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const [a, b] = await Promise.all([connect(vsn, await ada.token()), connect(vsn, await ben.token())])
    const one = await subscribed(a, topic, { broadcast: { ack: true } })
    const two = await subscribed(b, topic, { presence: { enabled: true } })
    const sent = ['a', 'b', 'c', 'd'].map((text) => ({
      type: 'broadcast' as const,
      event: 'typing',
      payload: { text },
    }))
    const answers = await Promise.all(sent.map((message) => one.channel.send(message)))
    expect(answers).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(await two.broadcasts.count(4)).toEqual(sent)
  })

  it('goes nowhere without the right to write, and is not answered', async () => {
    const ada = await createPerson()
    const [one, two] = await Promise.all([
      connect(vsn, await ada.token()).then((client) => subscribed(client, `user:${ada.id}`)),
      connect(vsn, await ada.token()).then((client) =>
        subscribed(client, `user:${ada.id}`, { broadcast: { ack: true } }),
      ),
    ])
    const message = { type: 'broadcast' as const, event: 'forged', payload: {} }
    expect(await two.channel.send(message, { timeout: QUIET_MS })).toBe('timed out')
    expect(one.broadcasts.all).toEqual([])
    expect(await sql`select 1 from realtime.messages where topic = ${`user:${ada.id}`}`).toEqual([])
  })
})

describe('broadcasting across protocols', () => {
  it('carries JSON both ways, and bytes where the protocol has them', async () => {
    const topic = newTopic()
    const old = await subscribed(await connect('1.0.0', operator), topic)
    const sender = await subscribed(await connect('2.0.0', operator), topic)
    const reader = await subscribed(await connect('2.0.0', operator), topic)
    await sender.channel.send({ type: 'broadcast', event: 'json', payload: { a: [1, 'ä', null] } })
    const bytes = Uint8Array.of(0, 1, 254, 255).buffer
    await sender.channel.send({ type: 'broadcast', event: 'bytes', payload: bytes })
    await old.channel.send({ type: 'broadcast', event: 'from-old', payload: { ok: true } })
    await reader.broadcasts.count(3)
    // Of two senders, either may be first.
    const heard = (name: string) => reader.broadcasts.until(({ event }) => event === name)
    expect((await heard('json')).payload).toEqual({ a: [1, 'ä', null] })
    expect(new Uint8Array((await heard('bytes')).payload as ArrayBuffer)).toEqual(
      Uint8Array.of(0, 1, 254, 255),
    )
    expect(await heard('from-old')).toEqual({ type: 'broadcast', event: 'from-old', payload: { ok: true } })
    await sleep(QUIET_MS)
    expect(old.broadcasts.all.map(({ event }) => event)).toEqual(['json'])
  })
})

describe.each(versions)('broadcasting from the database with protocol %s', (vsn) => {
  it('reaches the private topic with the row’s id', async () => {
    const ada = await createPerson()
    const own = await subscribed(await connect(vsn, await ada.token()), `user:${ada.id}`)
    await sendFromDatabase(`user:${ada.id}`, 'notification.created', { text: 'héllo "quoted"\n👋' })
    const heard = await own.broadcasts.until(({ event }) => event === 'notification.created')
    const [row] = await sql<{ id: string }[]>`
      select id from realtime.messages where topic = ${`user:${ada.id}`} and event = 'notification.created'`
    expect(heard).toEqual({
      type: 'broadcast',
      event: 'notification.created',
      payload: { text: 'héllo "quoted"\n👋', id: row?.id },
      meta: { id: row?.id },
    })
  })

  it('keeps an id the sender chose, and the order of a burst of short and long ones', async () => {
    const topic = newTopic()
    const { broadcasts } = await subscribed(await connect(vsn, operator), topic)
    await sql`
      select realtime.send(jsonb_build_object('id', n, 'text', repeat('ü', case when n % 7 = 0 then 9000 else 9 end)),
                           'burst', ${topic}, true)
      from generate_series(1, 300) as n order by n`
    const heard = await broadcasts.count(300)
    expect(heard.map(({ payload }) => (payload as { id: number }).id)).toEqual(
      Array.from({ length: 300 }, (_, index) => index + 1),
    )
  })

  it('does not send what is rolled back', async () => {
    const topic = newTopic()
    const { broadcasts } = await subscribed(await connect(vsn, operator), topic)
    await sql
      .begin(async (tx) => {
        await tx`select realtime.send('{}', 'undone', ${topic}, true)`
        throw new Error('undo')
      })
      .catch((error: Error) => expect(error.message).toBe('undo'))
    await sendFromDatabase(topic, 'done', {})
    await broadcasts.until(({ event }) => event === 'done')
    expect(broadcasts.all).toHaveLength(1)
  })
})

describe('broadcasting by HTTP', () => {
  it('serves supabase-js’s httpSend and its older batch', async () => {
    const topic = newTopic()
    const reader = await subscribed(await connect('2.0.0', operator), topic)
    const { supabase } = await connect('2.0.0', operator)
    const channel = supabase.channel(topic, { config: { private: true } })
    expect(await channel.httpSend('single/one', { n: 1 })).toEqual({ success: true })
    expect(await channel.httpSend('bytes', Uint8Array.of(7, 8))).toEqual({ success: true })
    const messages = [
      { topic, event: 'batch', payload: { n: 2 }, private: true },
      { topic, event: 'batch', payload: { n: 3 }, private: true },
    ]
    expect(await post('', operator, JSON.stringify({ messages }))).toBe(202)
    const heard = await reader.broadcasts.count(4)
    expect(heard[0]).toEqual({ type: 'broadcast', event: 'single/one', payload: { n: 1 } })
    expect(new Uint8Array(heard[1]?.payload as ArrayBuffer)).toEqual(Uint8Array.of(7, 8))
    expect(heard.slice(2).map(({ payload }) => payload)).toEqual([{ n: 2 }, { n: 3 }])
  })

  it('lets only those who may write reach a private topic', async () => {
    const [ada, ben, eve] = await Promise.all([createPerson(), createPerson(), createPerson()])
    await haveWritten(ada, ben)
    const topic = conversationTopic(ada, ben)
    const reader = await subscribed(await connect('2.0.0', await ben.token()), topic)
    const path = `/${encodeURIComponent(topic)}/events/typing?private=true`
    expect(await post(path, await eve.token(), '{"by":"eve"}')).toBe(403)
    // He has not answered her.
    expect(await post(path, await ben.token(), '{"by":"ben"}')).toBe(403)
    expect(await post(path, stack.publishableKey, '{"by":"visitor"}')).toBe(403)
    const forged = { messages: [{ topic, event: 'typing', payload: { by: 'eve' }, private: true }] }
    expect(await post('', await eve.token(), JSON.stringify(forged))).toBe(202)
    expect(await post(path, await ada.token(), '{"by":"ada"}')).toBe(202)
    expect(await post(path, operator, '{"by":"operator"}')).toBe(202)
    const heard = await reader.broadcasts.count(2)
    expect(heard.map(({ payload }) => payload)).toEqual([{ by: 'ada' }, { by: 'operator' }])
  })

  it('takes 4 kB of a person at most, alone and in a batch', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const reader = await subscribed(await connect('2.0.0', await ben.token()), topic)
    const [token, path] = [await ada.token(), `/${encodeURIComponent(topic)}/events/typing?private=true`]
    const batch = (...lengths: number[]) => {
      const payloads = lengths.map((length) => ({ text: 'x'.repeat(length) }))
      return JSON.stringify({
        messages: payloads.map((payload) => ({ topic, event: 'typing', payload, private: true })),
      })
    }
    expect(await post(path, token, JSON.stringify('x'.repeat(3_999)))).toBe(413)
    expect(await post(path, token, new Uint8Array(4_001), 'application/octet-stream')).toBe(413)
    expect(await post('', token, batch(1, 4_000))).toBe(422)
    expect(await post('', token, batch(400_000))).toBe(413)
    expect(await post('', operator, batch(400_000))).toBe(202)
    expect(await post(path, token, JSON.stringify('x'.repeat(3_998)))).toBe(202)
    expect(await post('', token, batch(3_900))).toBe(202)
    const heard = await reader.broadcasts.count(3)
    expect(heard.map(({ payload }) => JSON.stringify(payload).length)).toEqual([400_011, 4_000, 3_911])
  })

  it('sends to no public topic, whatever the key or token', async () => {
    const ada = await createPerson()
    const body = JSON.stringify({ messages: [{ topic: `user:${ada.id}`, event: 'e', payload: {} }] })
    for (const token of [stack.publishableKey, await ada.token(), operator]) {
      expect(await post(`/user:${ada.id}/events/e`, token, '{}')).toBe(403)
      expect(await post('', token, body)).toBe(403)
    }
  })

  it('refuses what it cannot read', async () => {
    const path = `/${newTopic()}/events/e?private=true`
    expect(await post(path, 'nonsense', '{}')).toBe(401)
    expect(await post(path, stack.publishableKey, '{')).toBe(400)
    expect(await post(path, stack.publishableKey, 'x', 'text/plain')).toBe(415)
    expect(await post('', stack.publishableKey, '{"messages":[{"topic":""}]}')).toBe(422)
    const message = (topic: string) => ({ topic, event: 'e', payload: {}, private: true })
    const batch = (messages: object[]) => post('', stack.publishableKey, JSON.stringify({ messages }))
    expect(await batch([message('x'.repeat(247))])).toBe(422)
    expect(await batch(Array.from({ length: 101 }, () => message('x')))).toBe(422)
    expect(await post(path, stack.publishableKey, JSON.stringify('x'.repeat(3_000_001)))).toBe(413)
  })
})
