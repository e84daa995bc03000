import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import {
  connect,
  conversationTopic,
  createPerson,
  Heard,
  listen,
  newTopic,
  operator,
  sendFromDatabase,
  socketUrl,
  sql,
  stack,
  subscribed,
  versions,
} from './support.ts'

function refusal(topic: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`
}

describe.each(versions)('joining with protocol %s', (vsn) => {
  it('lets nobody join a public topic, whatever their key or token', async () => {
    const ada = await createPerson()
    for (const token of [null, await ada.token(), operator]) {
      const { statuses } = listen(await connect(vsn, token), `user:${ada.id}`, { private: false })
      const { error } = await statuses.until(({ status }) => status === 'CHANNEL_ERROR')
      expect(error).toContain('PrivateOnly: This project only allows private channels')
    }
  })

  it('lets people join their own private topic and refuses a stranger’s', async () => {
    const [ada, ben] = await Promise.all([createPerson(), createPerson()])
    const client = await connect(vsn, await ada.token())
    await subscribed(client, `user:${ada.id}`)
    const stranger = listen(client, `user:${ben.id}`)
    const { error } = await stranger.statuses.until(({ status }) => status === 'CHANNEL_ERROR')
    expect(error).toContain(refusal(`user:${ben.id}`))
  })

  it('refuses a visitor and the bare publishable key on a private topic', async () => {
    const ada = await createPerson()
    for (const token of [null, stack.publishableKey]) {
      const { statuses } = listen(await connect(vsn, token), `user:${ada.id}`)
      const { error } = await statuses.until(({ status }) => status === 'CHANNEL_ERROR')
      expect(error).toContain(refusal(`user:${ada.id}`))
    }
  })

  it('refuses a third person in a conversation of two', async () => {
    const [ada, ben, eve] = await Promise.all([createPerson(), createPerson(), createPerson()])
    const topic = conversationTopic(ada, ben)
    await subscribed(await connect(vsn, await ada.token()), topic)
    const { statuses } = listen(await connect(vsn, await eve.token()), topic)
    const { error } = await statuses.until(({ status }) => status === 'CHANNEL_ERROR')
    expect(error).toContain(refusal(topic))
  })

  it('refuses a token that is signed by somebody else or has expired', async () => {
    const ada = await createPerson()
    const good = await ada.token()
    const forged = `${good.slice(0, good.lastIndexOf('.'))}.${'A'.repeat(43)}`
    const cases: [string, RegExp][] = [
      [forged, /JwtSignatureError: Failed to validate JWT signature/],
      [await ada.token(-10), /InvalidJWTToken: Token has expired \d+ seconds ago/],
      ['nonsense', /MalformedJWT: The token provided is not a valid JWT/],
    ]
    for (const [token, words] of cases) {
      const { statuses } = listen(await connect(vsn, token), `user:${ada.id}`)
      const { error } = await statuses.until(({ status }) => status === 'CHANNEL_ERROR')
      expect(error).toMatch(words)
    }
  })

  it('hears nothing of what the database sends to the public topic of the same name', async () => {
    const ada = await createPerson()
    const topic = `user:${ada.id}`
    const own = await subscribed(await connect(vsn, await ada.token()), topic)
    await sql`select realtime.send('{}', 'open', ${topic}, false)`
    await sendFromDatabase(topic, 'own', {})
    await own.broadcasts.until(({ event }) => event === 'own')
    expect(own.broadcasts.all).toHaveLength(1)
  })

  it('leaves, hears no more, and can join again', async () => {
    const client = await connect(vsn, operator)
    const topic = newTopic()
    const first = await subscribed(client, topic)
    expect(await client.supabase.removeChannel(first.channel)).toBe('ok')
    const second = await subscribed(client, topic)
    await sendFromDatabase(topic, 'late', {})
    await second.broadcasts.until(({ event }) => event === 'late')
    expect(first.broadcasts.all).toEqual([])
  })
})

describe('opening the socket', () => {
  it.each([
    ['an unknown key', 'sb_publishable_wrong'],
    ['no key', ''],
  ])('is refused with %s', async (_, key) => {
    const socket = new WebSocket(socketUrl('2.0.0', key))
    const status = await new Promise((resolve, reject) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('open', () => reject(new Error('the socket opened')))
    })
    expect(status).toBe(401)
  })

  it('closes the older of two joins of one topic on the same socket', async () => {
    const socket = new WebSocket(socketUrl('2.0.0', operator))
    const heard = new Heard<unknown[]>()
    socket.on('message', (data) => heard.add(JSON.parse(String(data))))
    await new Promise((resolve) => socket.on('open', resolve))
    const topic = `realtime:${newTopic()}`
    socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: { private: true } }]))
    socket.send(JSON.stringify(['2', '2', topic, 'phx_join', { config: { private: true } }]))
    const [joinRef, , , , reply] = await heard.until(
      ([, ref, , event]) => ref === '2' && event === 'phx_reply',
    )
    expect([joinRef, reply]).toEqual(['2', { status: 'ok', response: { postgres_changes: [] } }])
    socket.send(JSON.stringify([null, '3', 'phoenix', 'heartbeat', {}]))
    await heard.until(([, ref]) => ref === '3')
    expect(heard.all).toContainEqual(['1', '1', topic, 'phx_close', {}])
    expect(heard.all).not.toContainEqual(['2', '2', topic, 'phx_close', {}])
    socket.close()
  })
})
