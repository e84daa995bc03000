import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdChannel, leaveAllChannels } from './channels'

/** A socket whose server lets everybody join. Like one of a dead network it never finishes closing. */
class Socket extends EventTarget {
  static readonly all: Socket[] = []
  readyState = 0
  bufferedAmount = 0
  binaryType = 'arraybuffer'
  readonly joined: string[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
  onclose: (() => void) | null = null

  constructor() {
    super()
    Socket.all.push(this)
    setTimeout(() => {
      this.readyState = 1
      this.onopen?.()
    }, 10)
  }

  send(text: string): void {
    const [joinRef, ref, topic, event] = JSON.parse(text)
    if (event === 'phx_join') this.joined.push(topic)
    const answer = [joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]
    if (this.readyState === 1) setTimeout(() => this.onmessage?.({ data: JSON.stringify(answer) }), 10)
  }

  close(): void {
    this.readyState = 2
  }
}

const client = createClient('http://127.0.0.1:1', 'key', {
  accessToken: async () => 'token',
  realtime: { transport: Socket as unknown as typeof WebSocket, worker: false },
})

vi.mock('../supabase', () => ({
  getSupabase: async () => ({
    auth: { getSession: async () => ({ data: { session: {} } }) },
    realtime: client.realtime,
    channel: client.channel.bind(client),
    removeChannel: client.removeChannel.bind(client),
  }),
}))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('on a new network every topic is joined anew, though the old socket never says that it closed', async () => {
  const statuses: boolean[] = []
  holdChannel('user:ada', { onStatus: (joined) => statuses.push(joined) })
  await vi.advanceTimersByTimeAsync(1000)
  expect(statuses).toEqual([false, true])

  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(Socket.all.map((socket) => socket.joined)).toEqual([['realtime:user:ada'], ['realtime:user:ada']])
  expect(statuses).toEqual([false, true, false, true])
  const leaving = leaveAllChannels()
  await vi.advanceTimersByTimeAsync(20_000)
  await leaving
})
