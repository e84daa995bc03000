import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { sql, stack } from '../support/stack.ts'
import {
  connectClient,
  conversationTopic,
  createRealtimeUser,
  newTopic,
  openChannel,
  protocolVersions,
  RecordedItems,
  secretKey,
  sendFromDatabase,
  socketUrl,
  subscribeToChannel,
} from './realtime-fixture.ts'

function unauthorizedMessage(topic: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`
}

describe.each(protocolVersions)('the Realtime server with protocol %s', (vsn) => {
  it('rejects a public topic regardless of the key or token', async () => {
    const ada = await createRealtimeUser()
    for (const token of [null, await ada.token(), secretKey]) {
      const { statuses } = openChannel(await connectClient(vsn, token), `user:${ada.id}`, { private: false })
      const { error } = await statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
      expect(error).toContain('PrivateOnly: This project only allows private channels')
    }
  })

  it('accepts a user’s own private topic and rejects another user’s', async () => {
    const [ada, ben] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
    const client = await connectClient(vsn, await ada.token())
    await subscribeToChannel(client, `user:${ada.id}`)
    const other = openChannel(client, `user:${ben.id}`)
    const { error } = await other.statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
    expect(error).toContain(unauthorizedMessage(`user:${ben.id}`))
  })

  it('refuses a visitor access to a private topic, with and without the publishable key as the token', async () => {
    const ada = await createRealtimeUser()
    for (const token of [null, stack.publishableKey]) {
      const { statuses } = openChannel(await connectClient(vsn, token), `user:${ada.id}`)
      const { error } = await statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
      expect(error).toContain(unauthorizedMessage(`user:${ada.id}`))
    }
  })

  it('refuses a third user access to a conversation’s topic', async () => {
    const [ada, ben, eve] = await Promise.all([
      createRealtimeUser(),
      createRealtimeUser(),
      createRealtimeUser(),
    ])
    const topic = conversationTopic(ada, ben)
    await subscribeToChannel(await connectClient(vsn, await ada.token()), topic)
    const { statuses } = openChannel(await connectClient(vsn, await eve.token()), topic)
    const { error } = await statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
    expect(error).toContain(unauthorizedMessage(topic))
  })

  it('rejects forged, expired and malformed tokens', async () => {
    const ada = await createRealtimeUser()
    const valid = await ada.token()
    const forged = `${valid.slice(0, valid.lastIndexOf('.'))}.${'A'.repeat(43)}`
    const cases: [string, RegExp][] = [
      [forged, /JwtSignatureError: Failed to validate JWT signature/],
      [await ada.token(-10), /InvalidJWTToken: Token has expired \d+ seconds ago/],
      ['nonsense', /MalformedJWT: The token provided is not a valid JWT/],
    ]
    for (const [token, message] of cases) {
      const { statuses } = openChannel(await connectClient(vsn, token), `user:${ada.id}`)
      const { error } = await statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
      expect(error).toMatch(message)
    }
  })

  it('delivers nothing from a public topic to members of the private topic with the same name', async () => {
    const ada = await createRealtimeUser()
    const topic = `user:${ada.id}`
    const own = await subscribeToChannel(await connectClient(vsn, await ada.token()), topic)
    await sql`select realtime.send('{}', 'open', ${topic}, false)`
    await sendFromDatabase(topic, 'own', {})
    await own.broadcasts.waitFor(({ event }) => event === 'own')
    expect(own.broadcasts.all).toHaveLength(1)
  })

  it('delivers nothing to a channel after the client leaves it, and lets the client join again', async () => {
    const client = await connectClient(vsn, secretKey)
    const topic = newTopic()
    const first = await subscribeToChannel(client, topic)
    expect(await client.supabase.removeChannel(first.channel)).toBe('ok')
    const second = await subscribeToChannel(client, topic)
    await sendFromDatabase(topic, 'late', {})
    await second.broadcasts.waitFor(({ event }) => event === 'late')
    expect(first.broadcasts.all).toEqual([])
  })
})

describe('a socket', () => {
  it.each([
    ['an unknown API key', 'sb_publishable_wrong'],
    ['no API key', ''],
  ])('is rejected with %s', async (_, key) => {
    const socket = new WebSocket(socketUrl('2.0.0', key))
    const status = await new Promise((resolve, reject) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('open', () => reject(new Error('The socket opened.')))
    })
    expect(status).toBe(401)
  })

  it('keeps only the later of two channels that join the same topic', async () => {
    const socket = new WebSocket(socketUrl('2.0.0', secretKey))
    const received = new RecordedItems<unknown[]>()
    socket.on('message', (data) => received.add(JSON.parse(String(data))))
    await new Promise((resolve) => socket.on('open', resolve))
    const topic = `realtime:${newTopic()}`
    socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: { private: true } }]))
    socket.send(JSON.stringify(['2', '2', topic, 'phx_join', { config: { private: true } }]))
    const [joinRef, , , , reply] = await received.waitFor(
      ([, ref, , event]) => ref === '2' && event === 'phx_reply',
    )
    expect([joinRef, reply]).toEqual(['2', { status: 'ok', response: { postgres_changes: [] } }])
    socket.send(JSON.stringify([null, '3', 'phoenix', 'heartbeat', {}]))
    await received.waitFor(([, ref]) => ref === '3')
    expect(received.all).toContainEqual(['1', '1', topic, 'phx_close', {}])
    expect(received.all).not.toContainEqual(['2', '2', topic, 'phx_close', {}])
    socket.close()
  })
})
