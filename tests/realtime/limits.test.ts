import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { secrets, stack } from '../support/stack.ts'
import {
  conversationTopic,
  createConversationPartners,
  createRealtimeUser,
  newTopic,
  protocolVersions,
  RecordedItems,
  secretKey,
  sendFromDatabase,
  socketUrl,
} from './realtime-fixture.ts'

type Message = {
  ref: string | null
  topic: string
  event: string
  /** The event name inside a broadcast. */
  broadcastEvent?: string | undefined
  payload: { status?: string; response?: { reason?: string } }
}

// If data is still arriving when the server closes the socket, the client may get a reset instead of the close code.
const rateLimitCloseCodes = [4429, 1006]

/** A socket that can send frames that no real client would send. */
class RawSocket {
  readonly received = new RecordedItems<Message>()
  readonly closes = new RecordedItems<number>()

  private constructor(
    readonly socket: WebSocket,
    private readonly vsn: string,
  ) {
    socket.on('message', (data) => this.received.add(this.read(String(data))))
    socket.on('close', (code) => this.closes.add(code))
    socket.on('error', () => undefined)
  }

  static async open(vsn: string, apikey = secretKey): Promise<RawSocket> {
    const socket = new WebSocket(socketUrl(vsn, apikey))
    const raw = new RawSocket(socket, vsn)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return raw
  }

  send(topic: string, event: string, payload: unknown, ref: string, joinRef: string | null = null): void {
    const frame =
      this.vsn === '1.0.0'
        ? { topic, event, payload, ref, join_ref: joinRef }
        : [joinRef, ref, topic, event, payload]
    this.socket.send(JSON.stringify(frame))
  }

  /** Joins a private channel with `ref` as its reference. */
  join(topic: string, ref: string, config: object = {}, token?: string): void {
    this.send(topic, 'phx_join', { config: { private: true, ...config }, access_token: token }, ref, ref)
  }

  reply(ref: string): Promise<Message> {
    return this.received.waitFor((message) => message.event === 'phx_reply' && message.ref === ref)
  }

  private read(data: string): Message {
    const value: unknown = JSON.parse(data)
    if (!Array.isArray(value)) return value as Message
    return {
      ref: value[1],
      topic: value[2],
      event: value[3],
      broadcastEvent: value[4].event,
      payload: value[4],
    }
  }
}

const opened: RawSocket[] = []

async function open(vsn: string, apikey?: string): Promise<RawSocket> {
  const raw = await RawSocket.open(vsn, apikey)
  opened.push(raw)
  return raw
}

/** After each test, checks that the server still responds. */
afterEach(async () => {
  const probe = await RawSocket.open('2.0.0')
  probe.send('phoenix', 'heartbeat', {}, '1')
  expect((await probe.reply('1')).payload.status).toBe('ok')
  for (const raw of [...opened.splice(0), probe]) raw.socket.close()
})

describe.each(protocolVersions)('the Realtime server with protocol %s', (vsn) => {
  it.each([
    ['invalid JSON', 'nonsense'],
    ['JSON of the wrong type', '"text"'],
    ['names that are not strings', vsn === '1.0.0' ? '{"topic":1,"event":2}' : '[null,null,1,2,{}]'],
    ['an empty binary frame', new Uint8Array()],
    ['a binary frame of an unknown kind', Uint8Array.of(9, 1, 1, 1)],
    ['a truncated binary frame', Uint8Array.of(3, 255, 255, 255, 255, 255, 1, 65)],
  ])('closes the socket on %s', async (_, frame) => {
    const raw = await open(vsn)
    raw.socket.send(frame)
    expect((await raw.closes.waitForCount(1))[0]).toBe(4400)
  })

  it('responds with an error to invalid messages, but accepts leaving a topic that was not joined', async () => {
    const raw = await open(vsn)
    const topic = `realtime:${newTopic()}`
    raw.send('realtime:', 'phx_join', {}, '1')
    raw.send('elsewhere', 'phx_join', {}, '2')
    raw.send(`realtime:${'x'.repeat(300)}`, 'phx_join', {}, '3')
    raw.send(topic, 'phx_join', 'text', '4')
    raw.send(topic, 'broadcast', {}, '5')
    raw.send(topic, 'phx_leave', {}, '6')
    const reasons = await Promise.all(
      ['1', '2', '3', '4', '5'].map(async (ref) => (await raw.reply(ref)).payload.response?.reason),
    )
    expect(reasons).toEqual([
      'TopicNameRequired: You must provide a topic name',
      'unmatched topic',
      'TopicNameTooLong: A topic name has at most 246 bytes',
      'InvalidJoinPayload: expected a map',
      'unmatched topic',
    ])
    expect((await raw.reply('6')).payload.status).toBe('ok')
  })

  it('keeps a channel open after payloads with the wrong shape', async () => {
    const raw = await open(vsn)
    const topic = `realtime:${newTopic()}`
    raw.join(topic, '1', { presence: { key: '__proto__', enabled: true }, postgres_changes: 'text' })
    expect((await raw.reply('1')).payload).toEqual({ status: 'ok', response: { postgres_changes: [] } })
    raw.send(topic, 'broadcast', 'text', '2', '1')
    raw.send(topic, 'presence', null, '3', '1')
    raw.send(topic, 'presence', { event: 'track', payload: 'text' }, '4', '1')
    raw.send(topic, 'presence', { event: 'track', payload: { phx_ref: 'mine' } }, '5', '1')
    raw.send(topic, 'access_token', [], '6', '1')
    raw.send(topic, 'unheard_of', {}, '7', '1')
    raw.send('phoenix', 'heartbeat', {}, '8')
    expect((await raw.reply('8')).payload.status).toBe('ok')
    for (const ref of ['2', '3', '4']) expect((await raw.reply(ref)).payload.status).toBe('error')
    expect((await raw.reply('5')).payload.status).toBe('ok')
    const diff = await raw.received.waitFor(({ event }) => event === 'presence_diff')
    expect(JSON.stringify(diff.payload)).toContain('"__proto__":{"metas":[{"phx_ref":')
  })

  it('closes a channel that sends more than 100 events a second', async () => {
    const raw = await open(vsn)
    const topic = `realtime:${newTopic()}`
    raw.join(topic, '1')
    await raw.reply('1')
    for (let n = 0; n < 150; n += 1) {
      raw.send(topic, 'broadcast', { type: 'broadcast', event: 'flood', payload: {} }, `b${n}`, '1')
    }
    const system = await raw.received.waitFor(({ event }) => event === 'system')
    expect(system.payload).toMatchObject({ status: 'error', message: 'Too many messages per second' })
    await raw.received.waitFor(({ event }) => event === 'phx_close')
  })

  it('rejects the 101st channel, and closes a socket that joins more than 100 times a second', async () => {
    const raw = await open(vsn)
    const topic = newTopic()
    const join = (n: number) => raw.join(`realtime:${topic}:${n}`, `${n}`)
    for (let n = 1; n <= 100; n += 1) join(n)
    await raw.reply('100')
    await sleep(1_000)
    join(101)
    expect((await raw.reply('101')).payload.response?.reason).toBe(
      'ChannelRateLimitReached: Too many channels',
    )
    for (let n = 102; n <= 320; n += 1) join(n)
    expect(rateLimitCloseCodes).toContain((await raw.closes.waitForCount(1))[0])
  })

  it('rejects a payload over 3,000 kB but keeps the channel open', async () => {
    const raw = await open(vsn)
    const topic = `realtime:${newTopic()}`
    raw.join(topic, '1', { broadcast: { ack: true, self: true } })
    await raw.reply('1')
    const text = 'x'.repeat(3_000_000)
    raw.send(topic, 'broadcast', { type: 'broadcast', event: 'big', payload: { text } }, '2', '1')
    expect((await raw.reply('2')).payload).toEqual({
      status: 'error',
      response: { reason: 'payload_size_exceeded' },
    })
    raw.send(topic, 'broadcast', { type: 'broadcast', event: 'small', payload: {} }, '3', '1')
    expect((await raw.reply('3')).payload.status).toBe('ok')
    expect(raw.received.all.filter(({ event }) => event === 'broadcast')).toHaveLength(1)
  })

  it('rejects a payload over 4 kB from a user but keeps the channel open', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const [sender, receiver] = await Promise.all([open(vsn), open(vsn)])
    sender.join(`realtime:${topic}`, '1', { broadcast: { ack: true } }, await ada.token())
    receiver.join(`realtime:${topic}`, '1', {}, await ben.token())
    await Promise.all([sender.reply('1'), receiver.reply('1')])
    const message = (length: number) => {
      const envelope = { type: 'broadcast', event: 'typing', payload: { text: '' } }
      return { ...envelope, payload: { text: 'x'.repeat(length - JSON.stringify(envelope).length) } }
    }
    sender.send(`realtime:${topic}`, 'broadcast', message(4_001), '2', '1')
    sender.send(`realtime:${topic}`, 'broadcast', message(4_000), '3', '1')
    expect((await sender.reply('2')).payload).toEqual({
      status: 'error',
      response: { reason: 'payload_size_exceeded' },
    })
    expect((await sender.reply('3')).payload.status).toBe('ok')
    const delivered = await receiver.received.waitFor(({ event }) => event === 'broadcast')
    expect(delivered.payload).toEqual(message(4_000))
  })

  it('closes a socket without the secret key that sends a frame over 64 kB', async () => {
    const raw = await open(vsn, stack.publishableKey)
    raw.send('phoenix', 'heartbeat', { text: 'x'.repeat(60_000) }, '1')
    expect((await raw.reply('1')).payload.status).toBe('ok')
    raw.send('phoenix', 'heartbeat', { text: 'x'.repeat(64_000) }, '2')
    expect((await raw.closes.waitForCount(1))[0]).toBe(4413)
    expect(raw.received.all).toHaveLength(1)
  })

  it('closes a socket that sends more than 500 frames a second', async () => {
    const raw = await open(vsn)
    for (let n = 0; n < 700; n += 1) raw.send('phoenix', 'heartbeat', {}, `${n}`)
    expect(rateLimitCloseCodes).toContain((await raw.closes.waitForCount(1))[0])
  })
})

describe('a slow reader', () => {
  it('misses broadcasts from clients, but stays connected and receives every broadcast from the database', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const reader = await open('2.0.0')
    const token = await ben.token()
    reader.join(`realtime:${topic}`, '1', {}, token)
    reader.join(`realtime:user:${ben.id}`, '2', {}, token)
    await Promise.all([reader.reply('1'), reader.reply('2')])
    reader.socket.pause()
    // Large messages, which can be sent only with the secret key, fill the buffer faster than many small ones.
    const flood = JSON.stringify({ text: 'x'.repeat(2_500_000) })
    for (let sent = 0; sent < 12; sent += 1) {
      const url = `${stack.apiUrl}/realtime/v1/api/broadcast/${encodeURIComponent(topic)}/events/flood?private=true`
      const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
      expect((await fetch(url, { method: 'POST', headers, body: flood })).status).toBe(202)
    }
    await sendFromDatabase(`user:${ben.id}`, 'kept', {})
    await sendFromDatabase(topic, 'kept', {})
    reader.socket.resume()
    for (const source of [topic, `user:${ben.id}`]) {
      await reader.received.waitFor(
        (message) => message.topic === `realtime:${source}` && message.broadcastEvent === 'kept',
      )
    }
    const floodCount = reader.received.all.filter(({ broadcastEvent }) => broadcastEvent === 'flood').length
    expect(floodCount).toBeGreaterThan(0)
    expect(floodCount).toBeLessThan(12)
    expect(reader.closes.all).toEqual([])
  })
})

describe('the Realtime server', () => {
  it('lets an account join from at most 50 sockets', async () => {
    const ada = await createRealtimeUser()
    const token = await ada.token()
    const topic = `realtime:user:${ada.id}`
    const raws = await Promise.all(Array.from({ length: 51 }, () => open('2.0.0')))
    const reasons = await Promise.all(
      raws.map(async (raw) => {
        raw.join(topic, '1', {}, token)
        return (await raw.reply('1')).payload.response?.reason
      }),
    )
    const rejections = reasons.filter((reason) => reason !== undefined)
    expect(new Set(rejections)).toEqual(
      new Set(['ConnectionRateLimitReached: Too many connections for this account']),
    )
    expect(rejections.length).toBeLessThan(51)
    const [first] = raws
    for (const raw of raws.slice(1)) raw.socket.close()
    await Promise.all(raws.slice(1).map((raw) => raw.closes.waitForCount(1)))
    first?.join(topic, '2', {}, token)
    expect((await first?.reply('2'))?.payload.status).toBe('ok')
  })

  it('counts the joins of an account across its sockets', async () => {
    const ada = await createRealtimeUser()
    const token = await ada.token()
    const raws = await Promise.all(Array.from({ length: 3 }, () => open('2.0.0')))
    const reasons = await Promise.all(
      Array.from({ length: 240 }, async (_, n) => {
        const raw = raws[n % raws.length]
        raw?.join(`realtime:elsewhere:${n}`, `${n}`, {}, token)
        return (await raw?.reply(`${n}`))?.payload.response?.reason
      }),
    )
    const limited = reasons.filter((reason) => /^ClientJoinRateLimitReached/.test(reason ?? ''))
    // The token bucket holds 200 joins and is refilled during the test.
    expect(limited.length).toBeGreaterThan(0)
    expect(limited.length).toBeLessThanOrEqual(40)
  })

  it('rejects the 501st channel of an account', async () => {
    const ada = await createRealtimeUser()
    // Joins by the service role are exempt from the account's limit on joins.
    const token = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(ada.id)
      .setExpirationTime('10 minutes')
      .sign(new TextEncoder().encode(secrets.jwtSecret))
    const raws = await Promise.all(Array.from({ length: 6 }, () => open('2.0.0')))
    const topic = newTopic()
    const join = async (raw: RawSocket | undefined, n: number) => {
      raw?.join(`realtime:${topic}:${n}`, `${n}`, {}, token)
      return (await raw?.reply(`${n}`))?.payload.response?.reason
    }
    for (const raw of raws.slice(0, 5)) {
      const reasons = await Promise.all(Array.from({ length: 100 }, (_, n) => join(raw, n)))
      expect(new Set(reasons)).toEqual(new Set([undefined]))
    }
    expect(await join(raws[5], 1)).toBe('ChannelRateLimitReached: Too many channels for this account')
  })

  it('closes a socket without the secret key when the sockets of one network together send a burst of more than 10 MB', async () => {
    const raws = await Promise.all(Array.from({ length: 4 }, () => open('2.0.0', stack.publishableKey)))
    const text = 'x'.repeat(60_000)
    // Sends far more than 10 MB, because the limit allows another 1 MB for each second of sending.
    for (let n = 0; n < 150; n += 1)
      for (const raw of raws) raw.send('phoenix', 'heartbeat', { text }, `${n}`)
    // Each socket sends less than 10 MB. One whose messages all arrive before the limit is reached stays open.
    const codes = await Promise.any(raws.map((raw) => raw.closes.waitForCount(1)))
    expect(rateLimitCloseCodes).toContain(codes[0])
  })

  it('closes a socket without the secret key before a frame of 60 MB has arrived completely', async () => {
    const { hostname, port } = new URL(stack.apiUrl)
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const { pathname, search } = new URL(socketUrl('2.0.0'))
    const headers = [
      'Host: localhost',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
    ]
    headers.push('Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==')
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 101 /)
    // The header of a masked text frame of 60 MB.
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x03, 0x93, 0x87, 0x00, 0, 0, 0, 0])
    socket.write(Buffer.concat([header, Buffer.alloc(1_000_000, ' ')]))
    const timeout = sleep(15_000, 'open')
    expect(await Promise.race([closed, timeout])).not.toBe('open')
  })

  it('rejects more than 500 sockets from one IP address', async () => {
    const results = await Promise.allSettled(Array.from({ length: 510 }, () => open('2.0.0')))
    const rejections = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    )
    expect(new Set(rejections)).toEqual(new Set(['Error: Unexpected server response: 429']))
    expect(rejections.length).toBeGreaterThanOrEqual(10)
    const raws = opened.splice(0)
    for (const raw of raws) raw.socket.close()
    await Promise.all(raws.map((raw) => raw.closes.waitForCount(1)))
  })
})
