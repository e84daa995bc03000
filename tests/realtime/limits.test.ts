import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import {
  conversationTopic,
  createPerson,
  createTalkers,
  Heard,
  newTopic,
  operator,
  sendFromDatabase,
  socketUrl,
  stack,
  versions,
} from './support.ts'

type Message = {
  ref: string | null
  topic: string
  event: string
  /** The event of a broadcast. */
  said?: string | undefined
  payload: { status?: string; response?: { reason?: string } }
}

// A flood still on its way when the server closes may reset the connection before the close is read.
const TOO_MANY = [4429, 1006]

/** A socket that can say what no client would. */
class RawSocket {
  readonly heard = new Heard<Message>()
  readonly closes = new Heard<number>()

  private constructor(
    readonly socket: WebSocket,
    private readonly vsn: string,
  ) {
    socket.on('message', (data) => this.heard.add(this.read(String(data))))
    socket.on('close', (code) => this.closes.add(code))
    socket.on('error', () => undefined)
  }

  static async open(vsn: string): Promise<RawSocket> {
    const socket = new WebSocket(socketUrl(vsn, operator))
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

  /** Joins privately, under the ref `ref`. */
  join(topic: string, ref: string, config: object = {}, token?: string): void {
    this.send(topic, 'phx_join', { config: { private: true, ...config }, access_token: token }, ref, ref)
  }

  reply(ref: string): Promise<Message> {
    return this.heard.until((message) => message.event === 'phx_reply' && message.ref === ref)
  }

  private read(data: string): Message {
    const value: unknown = JSON.parse(data)
    if (!Array.isArray(value)) return value as Message
    return { ref: value[1], topic: value[2], event: value[3], said: value[4].event, payload: value[4] }
  }
}

const opened: RawSocket[] = []

async function open(vsn: string): Promise<RawSocket> {
  const raw = await RawSocket.open(vsn)
  opened.push(raw)
  return raw
}

/** The server must have outlived whatever the test did to it. */
afterEach(async () => {
  const witness = await RawSocket.open('2.0.0')
  witness.send('phoenix', 'heartbeat', {}, '1')
  expect((await witness.reply('1')).payload.status).toBe('ok')
  for (const raw of [...opened.splice(0), witness]) raw.socket.close()
})

describe.each(versions)('frames with protocol %s', (vsn) => {
  it.each([
    ['no JSON', 'nonsense'],
    ['JSON of the wrong kind', '"text"'],
    ['names that are no text', vsn === '1.0.0' ? '{"topic":1,"event":2}' : '[null,null,1,2,{}]'],
    ['an empty binary frame', new Uint8Array()],
    ['a binary frame of unknown kind', Uint8Array.of(9, 1, 1, 1)],
    ['a binary frame that is cut short', Uint8Array.of(3, 255, 255, 255, 255, 255, 1, 65)],
  ])('closes the socket on %s', async (_, frame) => {
    const raw = await open(vsn)
    raw.socket.send(frame)
    expect((await raw.closes.count(1))[0]).toBe(4400)
  })

  it('answers what is well formed and makes no sense', async () => {
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

  it('survives payloads of every wrong shape on a joined channel', async () => {
    const raw = await open(vsn)
    const topic = `realtime:${newTopic()}`
    const config = {
      presence: { key: '__proto__', enabled: true },
      postgres_changes: [{ event: '*', schema: 'public' }],
    }
    raw.join(topic, '1', config)
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
    const diff = await raw.heard.until(({ event }) => event === 'presence_diff')
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
    const system = await raw.heard.until(({ event }) => event === 'system')
    expect(system.payload).toMatchObject({ status: 'error', message: 'Too many messages per second' })
    await raw.heard.until(({ event }) => event === 'phx_close')
  })

  it('refuses the 101st channel, then closes a socket that joins more than 100 times a second', async () => {
    const raw = await open(vsn)
    const topic = newTopic()
    const join = (n: number) => raw.join(`realtime:${topic}:${n}`, `${n}`)
    for (let n = 1; n <= 100; n += 1) join(n)
    await raw.reply('100')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    join(101)
    expect((await raw.reply('101')).payload.response?.reason).toBe(
      'ChannelRateLimitReached: Too many channels',
    )
    for (let n = 102; n <= 320; n += 1) join(n)
    expect(TOO_MANY).toContain((await raw.closes.count(1))[0])
  })

  it('refuses a payload over 3,000 KB and keeps the channel', async () => {
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
    expect(raw.heard.all.filter(({ event }) => event === 'broadcast')).toHaveLength(1)
  })

  it('refuses more than 4 kB of a person, and keeps the channel', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const [one, two] = await Promise.all([open(vsn), open(vsn)])
    one.join(`realtime:${topic}`, '1', { broadcast: { ack: true } }, await ada.token())
    two.join(`realtime:${topic}`, '1', {}, await ben.token())
    await Promise.all([one.reply('1'), two.reply('1')])
    const message = (length: number) => {
      const envelope = { type: 'broadcast', event: 'typing', payload: { text: '' } }
      return { ...envelope, payload: { text: 'x'.repeat(length - JSON.stringify(envelope).length) } }
    }
    one.send(`realtime:${topic}`, 'broadcast', message(4_001), '2', '1')
    one.send(`realtime:${topic}`, 'broadcast', message(4_000), '3', '1')
    expect((await one.reply('2')).payload).toEqual({
      status: 'error',
      response: { reason: 'payload_size_exceeded' },
    })
    expect((await one.reply('3')).payload.status).toBe('ok')
    const heard = await two.heard.until(({ event }) => event === 'broadcast')
    expect(heard.payload).toEqual(message(4_000))
  })

  it('closes a socket that sends more than it could ever need', async () => {
    const raw = await open(vsn)
    for (let n = 0; n < 700; n += 1) raw.send('phoenix', 'heartbeat', {}, `${n}`)
    expect(TOO_MANY).toContain((await raw.closes.count(1))[0])
  })
})

describe('a reader who is slow', () => {
  it('misses what other clients say rather than lose the socket, and nothing that the database says', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const reader = await open('2.0.0')
    const token = await ben.token()
    reader.join(`realtime:${topic}`, '1', {}, token)
    reader.join(`realtime:user:${ben.id}`, '2', {}, token)
    await Promise.all([reader.reply('1'), reader.reply('2')])
    reader.socket.pause()
    // As a flood of many small ones, only sooner: the operator may send large ones.
    const flood = JSON.stringify({ text: 'x'.repeat(2_500_000) })
    for (let sent = 0; sent < 12; sent += 1) {
      const address = `${stack.apiUrl}/realtime/v1/api/broadcast/${encodeURIComponent(topic)}/events/flood?private=true`
      const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' }
      expect((await fetch(address, { method: 'POST', headers, body: flood })).status).toBe(202)
    }
    await sendFromDatabase(`user:${ben.id}`, 'told', {})
    await sendFromDatabase(topic, 'told', {})
    reader.socket.resume()
    for (const from of [topic, `user:${ben.id}`]) {
      await reader.heard.until((message) => message.topic === `realtime:${from}` && message.said === 'told')
    }
    const got = reader.heard.all.filter(({ said }) => said === 'flood').length
    expect(got).toBeGreaterThan(0)
    expect(got).toBeLessThan(12)
    expect(reader.closes.all).toEqual([])
  })
})

describe('sockets', () => {
  it('join nothing more once one account has joined from 50 of them', async () => {
    const ada = await createPerson()
    const token = await ada.token()
    const topic = `realtime:user:${ada.id}`
    const raws = await Promise.all(Array.from({ length: 51 }, () => open('2.0.0')))
    const reasons = await Promise.all(
      raws.map(async (raw) => {
        raw.join(topic, '1', {}, token)
        return (await raw.reply('1')).payload.response?.reason
      }),
    )
    const refused = reasons.filter((reason) => reason !== undefined)
    expect(new Set(refused)).toEqual(
      new Set(['ConnectionRateLimitReached: Too many connections of this account']),
    )
    expect(refused.length).toBeLessThan(51)
    const [first] = raws
    for (const raw of raws.slice(1)) raw.socket.close()
    await Promise.all(raws.slice(1).map((raw) => raw.closes.count(1)))
    first?.join(topic, '2', {}, token)
    expect((await first?.reply('2'))?.payload.status).toBe('ok')
  })

  it('of one account share its joins', async () => {
    const ada = await createPerson()
    const token = await ada.token()
    const raws = await Promise.all(Array.from({ length: 3 }, () => open('2.0.0')))
    const reasons = await Promise.all(
      Array.from({ length: 240 }, async (_, n) => {
        const raw = raws[n % raws.length]
        raw?.join(`realtime:elsewhere:${n}`, `${n}`, {}, token)
        return (await raw?.reply(`${n}`))?.payload.response?.reason
      }),
    )
    const late = reasons.filter((reason) => /^ClientJoinRateLimitReached/.test(reason ?? ''))
    // 200 at once, and what was refilled meanwhile.
    expect(late.length).toBeGreaterThan(0)
    expect(late.length).toBeLessThanOrEqual(40)
  })

  it('are at most 500 from one address', async () => {
    const results = await Promise.allSettled(Array.from({ length: 510 }, () => open('2.0.0')))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(new Set(refused)).toEqual(new Set(['Error: Unexpected server response: 429']))
    expect(refused.length).toBeGreaterThanOrEqual(10)
    const raws = opened.splice(0)
    for (const raw of raws) raw.socket.close()
    await Promise.all(raws.map((raw) => raw.closes.count(1)))
  })
})
