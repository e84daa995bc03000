import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, findHeadlessShell } from '../../scripts/lib/browser.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { measureAdminUsers } from '../load/admin-users.mjs'
import { measureAnalytics } from '../load/analytics.mjs'
import { registerAndSignIn } from '../load/api-client.mjs'
import { startBaselineServer } from '../load/baseline-server.mjs'
import { measureCpuTime } from '../load/cpu-time.mjs'
import { compareFeedWithItsSql } from '../load/feed.mjs'
import type { LoadRequest } from '../load/http-load.mjs'
import { createJpeg } from '../load/jpeg.mjs'
import { measureMemory } from '../load/memory.mjs'
import { measureTimeToScreen } from '../load/message-to-screen.mjs'
import { baselineTarget, measureTimeToSocket, stackTarget } from '../load/message-to-socket.mjs'
import { createFeedReader, measureDownloads, measureSlowLoad } from '../load/page-load.mjs'
import { describeServers, fillStack, measureRow } from '../load/peer/compare.mjs'
import { measureHostile } from '../load/peer/hostile.mjs'
import { rows } from '../load/peer/rows.mjs'
import { formatTable } from '../load/peer/table.mjs'
import { measureOpenSockets } from '../load/sockets.mjs'
import { startProject } from '../load/start-time.mjs'
import type { Connection } from '../support/connection.ts'
import { createTempDir } from '../support/stack-process.ts'

// Runs the benchmarks of `npm run bench` once and briefly, on a small stack, so that none can break unnoticed. Parse
// Server is left out, because it would have to be installed first. `growth` and `soak` are in a file of their own.

type Started<T extends (...args: never[]) => unknown> = Awaited<ReturnType<T>>

const size = { users: 50, posts: 500 }
const env = { RATE_LIMITS: 'off', CAPTCHA_PROVIDER: 'none', DEMO_DATA: 'off', LOG_LEVEL: 'error' }
const dataDir = createTempDir()
let started: Started<typeof startProject>
let stack: { connection: Connection; connectionFile: string }
let floor: Started<typeof startBaselineServer>
let servers: Started<typeof describeServers>

beforeAll(async () => {
  started = await startProject(root, dataDir, env)
  const connectionFile = join(dataDir, 'connection.json')
  stack = { connection: JSON.parse(readFileSync(connectionFile, 'utf8')), connectionFile }
  const accounts = await fillStack(stack, size, 1)
  floor = await startBaselineServer(stack.connection.databaseUrl)
  servers = await describeServers(stack, floor, { url: '', pids: [] }, accounts, await createJpeg(80, 60))
})

afterAll(async () => {
  floor?.stop()
  await started?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const send = async (origin: string, { method = 'GET', path, headers, body }: LoadRequest) => {
  const response = await fetch(`${origin}${path}`, { method, headers, body: body as BodyInit })
  const text = await response.text()
  return { status: response.status, text }
}

describe('npm run bench', () => {
  it('measures how long the stack takes to start', () => {
    expect(started.ms).toBeGreaterThan(100)
  })

  it('measures the feed and its SQL', async () => {
    const { api, database } = await compareFeedWithItsSql(stack, { rounds: 1, seconds: 0.1 })
    expect(api).toBeGreaterThan(0)
    expect(database).toBeGreaterThan(0)
  })

  it('measures how pages load, and how long messages take to reach a socket and the screen', async () => {
    const { connection } = stack
    const browser = await chromium.launch({
      executablePath: findHeadlessShell() ?? (await findBrowser(() => undefined)),
      args: ['--no-sandbox', '--disable-gpu'],
    })
    try {
      const storageState = await createFeedReader(browser, connection.apiUrl)
      const context = await browser.newContext({ storageState })
      const { scripts } = await measureDownloads(context, connection.apiUrl, 'feed')
      expect(scripts.length).toBeGreaterThan(1)
      expect(scripts.every(({ br, gzip }) => br > 0 && br < gzip)).toBe(true)
      const loads = await Promise.all([
        measureSlowLoad(browser, connection.apiUrl, 'landing', undefined, 1),
        measureSlowLoad(browser, connection.apiUrl, 'feed', storageState, 1),
      ])
      for (const { readyMs } of loads) expect(readyMs).toBeGreaterThan(0)
      const sender = await registerAndSignIn(connection.apiUrl, 'socket_sender')
      const receiver = await registerAndSignIn(connection.apiUrl, 'socket_receiver')
      const follow = { method: 'POST', headers: { Authorization: `Bearer ${receiver.token}` } }
      await fetch(`${connection.apiUrl}/api/users/${sender.id}/follow`, follow)
      const targets = [stackTarget(connection, sender, receiver), baselineTarget(floor, sender, receiver)]
      expect((await measureTimeToSocket(targets, 2)).map((times) => times.length)).toEqual([2, 2])
      const pace = { count: 2, perSecond: 4 }
      expect(await measureTimeToScreen(browser, connection.apiUrl, sender, receiver, pace)).toHaveLength(2)
    } finally {
      await browser.close()
    }
  })

  it('measures memory and CPU time', () => {
    const { pid } = JSON.parse(readFileSync(stack.connectionFile, 'utf8'))
    expect(measureMemory(pid).stackBytes).toBeGreaterThan(50_000_000)
    if (process.platform !== 'linux') return
    const { database, other } = measureCpuTime([pid])
    expect(Math.min(database, other)).toBeGreaterThan(100)
  })

  it.each(rows)('sends requests that succeed: $name', async ({ requests }) => {
    const { ours, floor: bare } = requests(servers.data)
    for (const [origin, request] of [
      [servers.urls.ours, ours[0]],
      [servers.urls.floor, bare[0]],
    ] as const) {
      if (!request) throw new Error('There is no request.')
      const { status, text } = await send(origin, request)
      expect(status, text).toBeLessThan(300)
      // Measuring an empty list would be meaningless.
      expect(text).not.toBe('[]')
    }
  })

  it('measures a row and formats it as a table', async () => {
    const options = { ...size, seconds: 0.1, rounds: 1, uploads: 1, roundTrips: 1 }
    const result = await measureRow('unread', servers, options)
    expect(result.value.ours).toBeGreaterThan(0)
    expect(formatTable([result], [])).toContain('| unread count |')
  })

  it('measures a row with hostile callers', async () => {
    const results = await measureHostile(servers, { seconds: 0.1, rounds: 1 }, ['feed'])
    expect(results.map(({ title }) => title)).toEqual(['home feed with 64 hostile callers'])
  })

  it('measures open sockets', async () => {
    const { results, stopReason } = await measureOpenSockets(stack, [10], 60_000, 1)
    expect({ sockets: results[0]?.sockets, stopReason }).toEqual({
      sockets: 10,
      stopReason: 'all steps done',
    })
  })

  // The next two tests come last, because they insert users who cannot send messages.
  it('measures analytics', async () => {
    expect(await measureAnalytics(stack, { posts: 10, requests: 1 })).toHaveLength(11)
  })

  it('measures the admin lists', async () => {
    const results = await measureAdminUsers(stack, { users: 50, requests: 1 })
    expect(results.find(({ name }) => name === 'first page')?.total).not.toBe('')
  })
})
