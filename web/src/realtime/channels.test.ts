import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Channels from './channels'

/** A fake WebSocket whose server accepts every join. Like a socket on a dead network, it never finishes closing. */
class FakeSocket extends EventTarget {
  static instances: FakeSocket[] = []
  static serverIsUp = true
  readyState = 0
  bufferedAmount = 0
  binaryType = 'arraybuffer'
  readonly joined: string[] = []
  joinRef = ''
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  constructor() {
    super()
    FakeSocket.instances.push(this)
    setTimeout(() => {
      if (!FakeSocket.serverIsUp) {
        this.drop()
        return
      }
      this.readyState = 1
      this.onopen?.()
    }, 10)
  }

  send(text: string): void {
    const [joinRef, ref, topic, event] = JSON.parse(text)
    if (event === 'phx_join') {
      this.joined.push(topic)
      this.joinRef = joinRef
    }
    this.receive([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }])
  }

  /** Delivers a message from the server. */
  receive(message: unknown[]): void {
    if (this.readyState === 1) setTimeout(() => this.onmessage?.({ data: JSON.stringify(message) }), 10)
  }

  /** Closes the connection as the browser does when it notices that the server is gone. */
  drop(): void {
    this.readyState = 3
    this.onclose?.({ code: 1006 })
  }

  close(): void {
    this.readyState = Math.max(this.readyState, 2)
  }
}

const createFakeClient = () =>
  createClient('http://127.0.0.1:1', 'key', {
    accessToken: async () => 'token',
    realtime: { transport: FakeSocket as unknown as typeof WebSocket, worker: false },
  })
let client: ReturnType<typeof createFakeClient>

vi.mock('@/session/supabase-client', () => ({
  getSupabase: async () => ({
    auth: { getSession: async () => ({ data: { session: {} } }) },
    realtime: client.realtime,
    channel: client.channel.bind(client),
    removeChannel: client.removeChannel.bind(client),
  }),
}))

let joinChannel: typeof Channels.joinChannel
let leaveAllChannels: typeof Channels.leaveAllChannels
let visibility: 'visible' | 'hidden'

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  visibility = 'visible'
  vi.stubGlobal(
    'document',
    Object.defineProperty(new EventTarget(), 'visibilityState', { get: () => visibility }),
  )
  vi.stubGlobal('window', new EventTarget())
  FakeSocket.instances = []
  FakeSocket.serverIsUp = true
  client = createFakeClient()
  ;({ joinChannel, leaveAllChannels } = await import('./channels'))
})
afterEach(async () => {
  const leaving = leaveAllChannels()
  await vi.advanceTimersByTimeAsync(20_000)
  await leaving
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The topics that were joined on each socket. */
const joins = () => FakeSocket.instances.map((socket) => socket.joined)
const adaTopic = 'realtime:user:ada'

/** Subscribes to a topic and records its status changes. */
async function subscribe(topic = 'user:ada') {
  const statuses: boolean[] = []
  const handle = joinChannel(topic, { onStatus: (joined) => statuses.push(joined) })
  await vi.advanceTimersByTimeAsync(1000)
  return { statuses, handle }
}

test('rejoins every topic on a new network, even if the old socket reports no close', async () => {
  const { statuses } = await subscribe()
  const other = await subscribe('conversation:ada:ben')
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(joins()).toEqual([
    [adaTopic, 'realtime:conversation:ada:ben'],
    [adaTopic, 'realtime:conversation:ada:ben'],
  ])
  expect([statuses, other.statuses]).toEqual([
    [false, true, false, true],
    [false, true, false, true],
  ])
})

test('replaces the socket after the machine was asleep while the page was visible', async () => {
  const { statuses } = await subscribe()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeSocket.instances).toHaveLength(1)
  vi.setSystemTime(Date.now() + 60_000)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(joins()).toEqual([[adaTopic], [adaTopic]])
  expect(statuses).toEqual([false, true, false, true])
})

test('reports a join again when the page becomes visible, and keeps its socket', async () => {
  const { statuses } = await subscribe()
  visibility = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(60_000)
  visibility = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(joins()).toEqual([[adaTopic]])
  expect(statuses).toEqual([false, true, true])
})

test('joins once after several wake-up events', async () => {
  const { statuses } = await subscribe()
  window.dispatchEvent(new Event('online'))
  document.dispatchEvent(new Event('resume'))
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(joins().at(-1)).toEqual([adaTopic])
  expect(statuses.at(-1)).toBe(true)
  expect(client.realtime.getChannels()).toHaveLength(1)
})

test('rejoins a channel that the server has closed, and ignores events of the old channel', async () => {
  const events: string[] = []
  const { statuses } = await subscribe()
  joinChannel('user:ada', { onEvent: (event) => events.push(event) })
  const broadcast = (event: string) => [
    null,
    null,
    adaTopic,
    'broadcast',
    { type: 'broadcast', event, payload: {} },
  ]
  const [socket] = FakeSocket.instances
  socket?.receive(broadcast('before'))
  socket?.receive([socket.joinRef, null, adaTopic, 'phx_close', {}])
  await vi.advanceTimersByTimeAsync(5000)
  expect(joins()).toEqual([[adaTopic, adaTopic]])
  expect(statuses).toEqual([false, true, false, true])
  FakeSocket.instances.at(-1)?.receive(broadcast('after'))
  await vi.advanceTimersByTimeAsync(100)
  expect(events).toEqual(['before', 'after'])
})

test('retries while the server is down, and immediately after any request succeeds', async () => {
  const { reportReachability } = await import('@/lib/api')
  const { statuses } = await subscribe()
  FakeSocket.serverIsUp = false
  FakeSocket.instances[0]?.drop()
  reportReachability(false)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(statuses).toEqual([false, true, false])
  const attempts = FakeSocket.instances.length
  expect(attempts).toBeGreaterThan(2)
  FakeSocket.serverIsUp = true
  reportReachability(true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(statuses).toEqual([false, true, false, true])
})

test('reconnects if the client has given up on its socket', async () => {
  const { statuses } = await subscribe()
  // The client does this when its worker fails to load.
  void client.realtime.disconnect()
  FakeSocket.instances[0]?.drop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(statuses).toEqual([false, true, false, true])
  expect(joins()).toEqual([[adaTopic], [adaTopic]])
})

test('joins a topic once for several subscriptions, as in StrictMode, and leaves it after the last one', async () => {
  const first = await subscribe()
  first.handle.release()
  const second = await subscribe()
  expect(joins()).toEqual([[adaTopic]])
  expect(second.statuses).toEqual([true])
  second.handle.release()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(client.realtime.getChannels()).toEqual([])
})
