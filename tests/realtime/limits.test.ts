import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createPerson, Heard, newTopic, operator, socketUrl, versions } from './support.ts'

type Message = {
  ref: string | null
  event: string
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
    return { ref: value[1], event: value[3], payload: value[4] }
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

  it('closes a socket that sends more than it could ever need', async () => {
    const raw = await open(vsn)
    for (let n = 0; n < 700; n += 1) raw.send('phoenix', 'heartbeat', {}, `${n}`)
    expect(TOO_MANY).toContain((await raw.closes.count(1))[0])
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
