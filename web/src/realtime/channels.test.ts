import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { joinChannel as Hold, leaveAllChannels as Leave } from './channels'

/** A socket whose server lets everybody join. Like one of a dead network it never finishes closing. */
class Socket extends EventTarget {
  static all: Socket[] = []
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
    Socket.all.push(this)
    setTimeout(() => {
      if (!Socket.serverIsUp) {
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
    this.say([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }])
  }

  say(message: unknown[]): void {
    if (this.readyState === 1) setTimeout(() => this.onmessage?.({ data: JSON.stringify(message) }), 10)
  }

  /** The other side is gone, and the browser knows. */
  drop(): void {
    this.readyState = 3
    this.onclose?.({ code: 1006 })
  }

  close(): void {
    this.readyState = Math.max(this.readyState, 2)
  }
}

const makeClient = () =>
  createClient('http://127.0.0.1:1', 'key', {
    accessToken: async () => 'token',
    realtime: { transport: Socket as unknown as typeof WebSocket, worker: false },
  })
let client: ReturnType<typeof makeClient>

vi.mock('@/session/supabase-client', () => ({
  getSupabase: async () => ({
    auth: { getSession: async () => ({ data: { session: {} } }) },
    realtime: client.realtime,
    channel: client.channel.bind(client),
    removeChannel: client.removeChannel.bind(client),
  }),
}))

let holdChannel: typeof Hold
let leaveAllChannels: typeof Leave
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
  Socket.all = []
  Socket.serverIsUp = true
  client = makeClient()
  ;({ joinChannel: holdChannel, leaveAllChannels } = await import('./channels'))
})
afterEach(async () => {
  const leaving = leaveAllChannels()
  await vi.advanceTimersByTimeAsync(20_000)
  await leaving
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const joins = () => Socket.all.map((socket) => socket.joined)
const ada = 'realtime:user:ada'

/** Holds a topic, and notes each time it is joined or lost. */
async function hold(topic = 'user:ada') {
  const statuses: boolean[] = []
  const held = holdChannel(topic, { onStatus: (joined) => statuses.push(joined) })
  await vi.advanceTimersByTimeAsync(1000)
  return { statuses, held }
}

test('on a new network every topic is joined anew, though the old socket never says that it closed', async () => {
  const { statuses } = await hold()
  const other = await hold('conversation:ada:ben')
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(joins()).toEqual([
    [ada, 'realtime:conversation:ada:ben'],
    [ada, 'realtime:conversation:ada:ben'],
  ])
  expect([statuses, other.statuses]).toEqual([
    [false, true, false, true],
    [false, true, false, true],
  ])
})

test('a machine that slept while its page was in sight takes the socket for dead', async () => {
  const { statuses } = await hold()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Socket.all).toHaveLength(1)
  vi.setSystemTime(Date.now() + 60_000)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(joins()).toEqual([[ada], [ada]])
  expect(statuses).toEqual([false, true, false, true])
})

test('a page that comes back into sight has everything read again, and keeps its socket', async () => {
  const { statuses } = await hold()
  visibility = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(60_000)
  visibility = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(joins()).toEqual([[ada]])
  expect(statuses).toEqual([false, true, true])
})

test('waking twice at once joins once', async () => {
  const { statuses } = await hold()
  window.dispatchEvent(new Event('online'))
  document.dispatchEvent(new Event('resume'))
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(joins().at(-1)).toEqual([ada])
  expect(statuses.at(-1)).toBe(true)
  expect(client.realtime.getChannels()).toHaveLength(1)
})

test('a channel that the server closes is joined again, and of the old one nothing more is heard', async () => {
  const heard: string[] = []
  const { statuses } = await hold()
  holdChannel('user:ada', { onEvent: (event) => heard.push(event) })
  const news = (event: string) => [null, null, ada, 'broadcast', { type: 'broadcast', event, payload: {} }]
  const [socket] = Socket.all
  socket?.say(news('before'))
  socket?.say([socket.joinRef, null, ada, 'phx_close', {}])
  await vi.advanceTimersByTimeAsync(5000)
  expect(joins()).toEqual([[ada, ada]])
  expect(statuses).toEqual([false, true, false, true])
  Socket.all.at(-1)?.say(news('after'))
  await vi.advanceTimersByTimeAsync(100)
  expect(heard).toEqual(['before', 'after'])
})

test('while the server is down it is tried, and once any call succeeds at once', async () => {
  const { reportReachability: reportReachable } = await import('@/lib/reachability')
  const { statuses } = await hold()
  Socket.serverIsUp = false
  Socket.all[0]?.drop()
  reportReachable(false)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(statuses).toEqual([false, true, false])
  const tried = Socket.all.length
  expect(tried).toBeGreaterThan(2)
  Socket.serverIsUp = true
  reportReachable(true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(statuses).toEqual([false, true, false, true])
})

test('a client that has given its socket up does not stay without one', async () => {
  const { statuses } = await hold()
  // As it does when its worker cannot be loaded.
  void client.realtime.disconnect()
  Socket.all[0]?.drop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(statuses).toEqual([false, true, false, true])
  expect(joins()).toEqual([[ada], [ada]])
})

test('held twice, as StrictMode does, a topic is joined once, and left a moment after the last', async () => {
  const first = await hold()
  first.held.release()
  const second = await hold()
  expect(joins()).toEqual([[ada]])
  expect(second.statuses).toEqual([true])
  second.held.release()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(client.realtime.getChannels()).toEqual([])
})
