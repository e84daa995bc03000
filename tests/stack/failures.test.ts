import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { deno, root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { hideDatabaseErrors } from '../../stack/lite/guard.ts'
import type { Connection } from '../support/connection.ts'
import { insertAccount } from '../support/insert-account.ts'
import { killProcess, listDescendants } from '../support/processes.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  type StackProcess,
  startStack,
} from '../support/stack-process.ts'

const dataDir = createTempDir()
let stack: StackProcess
let connection: Connection
let sql: postgres.Sql

/** A mail server that accepts connections and never says anything. */
const mailServer = createServer()

beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
  const { port } = mailServer.address() as AddressInfo
  stack = startStack(dataDir, await freePort(), {
    CAPTCHA_PROVIDER: 'none',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    HEARTBEAT_TIMEOUT_SECONDS: '3',
    TRUST_PROXY: '1',
  })
  connection = await stack.ready()
  sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
})

afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await discardStack(stack, dataDir)
  mailServer.close()
})

async function send(
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${connection.apiUrl}${path}`, {
    headers: { apikey: connection.publishableKey, 'content-type': 'application/json', ...headers },
    ...init,
  })
  const { code, checks } = await response.json()
  return { status: response.status, code, checks }
}

const getHealth = () => send('/api/health')
const expectHealthy = () => eventually(async () => expect((await getHealth()).status).toBe(200))

// At the same time as the tests below, because it mostly waits.
test.concurrent('the platform continues without the studio if that keeps failing', async () => {
  await eventually(async () => {
    const processes = listDescendants(stack.process.pid ?? 0)
    const studio = processes.find(({ command }) => command.includes('stack/studio/main.ts'))
    if (studio) killProcess(studio.pid, 'SIGKILL')
    expect(stack.output()).toContain('"event":"studio_stopped"')
  })
  await expectHealthy()
  expect(stack.process.exitCode).toBeNull()
})

// At the same time, because they mostly wait.
describe.concurrent('slow connections', () => {
  /** Opens a connection and sends the text. `closedAt` is set when the server closes the connection. */
  function open(text: string) {
    const socket = connect(stack.port, '127.0.0.1', () => socket.write(text))
    const state: { socket: Socket; closedAt: number | null } = { socket, closedAt: null }
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      state.closedAt = performance.now()
    })
    return state
  }

  test('without a request are closed after 20 seconds, even if headers drip', async () => {
    const openedAt = performance.now()
    const silent = open('')
    const dripping = open('GET /api/config HTTP/1.1\r\nHost: localhost\r\n')
    const drip = setInterval(() => dripping.socket.write('X'), 500)
    const idle = open('GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const uploading = open('POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{')
    const url = `${connection.apiUrl.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0&apikey=${connection.publishableKey}`
    const webSocket = new WebSocket(url)
    await eventually(async () => expect(silent.closedAt && dripping.closedAt).toBeTruthy(), 32_000)
    clearInterval(drip)
    for (const { closedAt } of [silent, dripping]) {
      expect((closedAt ?? 0) - openedAt).toBeGreaterThan(19_000)
      expect((closedAt ?? 0) - openedAt).toBeLessThan(27_000)
    }
    // The others have sent a request. An open WebSocket needs none.
    expect([idle.closedAt, uploading.closedAt, webSocket.readyState]).toEqual([null, null, WebSocket.OPEN])
    webSocket.terminate()
    for (const { socket } of [idle, uploading]) socket.destroy()
  })

  test('of a client or to the mail server do not restart Auth', async () => {
    const email = 'slow@example.test'
    const form = { fullName: 'Slow Mail', username: 'slow_mail', phoneNumber: '+15550100298' }
    await insertAccount(sql, { ...form, email, password: 'secret1' })
    const body = JSON.stringify({ refresh_token: 'abc' })
    const slow = open(
      [
        'POST /auth/v1/token?grant_type=refresh_token HTTP/1.1',
        'Host: localhost',
        `apikey: ${connection.publishableKey}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body.slice(0, 1),
      ].join('\r\n'),
    )
    let response = ''
    slow.socket.on('data', (chunk) => {
      response += chunk.toString()
    })
    const mailConnection = new Promise((resolve) => mailServer.once('connection', resolve))
    const reset = JSON.stringify({ email, recaptcha: 'none' })
    expect((await send('/api/auth/forgot-password', { method: 'POST', body: reset })).status).toBe(200)
    await mailConnection
    // lite restarts when a query takes 30 seconds.
    await sleep(31_000)
    expect(stack.output()).not.toContain('database_connection_lost')
    slow.socket.write(body.slice(1))
    await eventually(async () => expect(response).toMatch(/^HTTP\/1\.1 400 /))
    slow.socket.destroy()
  })
})

test('a client that hardly reads a response is disconnected, and one that is slow is not', async () => {
  const connections = pathToFileURL(join(root, 'stack', 'gateway', 'connections.ts')).href
  const program = `import { ConnectionTimeouts } from '${connections}'
    const log = { warn: () => Deno.exit(1), debug: (event, { count }) => console.log(event, count) }
    let timeouts
    const onListen = ({ port }) => {
      timeouts = new ConnectionTimeouts(port, log, () => undefined, { checkIntervalMs: 100, stallTimeoutMs: 3000 })
      console.log(port)
    }
    const content = new Uint8Array(30_000_000)
    Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, (request, info) => {
      const body = request.url.endsWith('/memory') ? content : new Blob([content]).stream()
      return timeouts.track(info, Promise.resolve(new Response(body)))
    })`
  const child = spawn(deno, ['eval', '--no-lock', '--quiet', '--ext=ts', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await eventually(async () => expect(output).toMatch(/^\d+\n/))
  const [slow, ...stalled] = ['/stream', '/stream', '/memory'].map((path) => {
    const socket = connect(Number.parseInt(output, 10), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return socket.on('error', () => undefined).pause()
  })
  // With HTTP/2, the client limits each response, and not the connection.
  const session = connectHttp2(`http://127.0.0.1:${Number.parseInt(output, 10)}`)
  session.on('error', () => undefined)
  const response = session.request({ ':path': '/stream' }).on('error', () => undefined)
  response.pause()
  const reading = setInterval(() => slow?.read(), 200)
  const countClosed = () =>
    [...output.matchAll(/connections_closed (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  try {
    await eventually(async () => expect([countClosed(), session.closed]).toEqual([3, true]))
    for (const socket of stalled) socket.resume()
    await eventually(async () => expect(stalled.map(({ closed }) => closed)).toEqual([true, true]))
    await sleep(3500)
    expect([countClosed(), slow?.closed]).toEqual([3, false])
  } finally {
    clearInterval(reading)
    slow?.destroy()
    session.destroy()
    child.kill()
  }
})

test('a network whose Data API requests hang up is refused before the Data API', async () => {
  const path = '/rest/v1/gallery_items?select=id&limit=1'
  await sql.begin(async (tx) => {
    await tx`lock table public.gallery_items in access exclusive mode`
    const sendFor = (ms: number) => send(path, { signal: AbortSignal.timeout(ms) })
    await Promise.allSettled(Array.from({ length: 15 }, () => sendFor(200)))
    // The Data API would respond only after two seconds, because the table is locked. The refusal is delayed by one.
    await eventually(async () =>
      expect(await sendFor(1900)).toMatchObject({ status: 429, code: 'rate_limited' }),
    )
  })
  await eventually(async () => expect((await send('/rest/v1/posts?select=id&limit=1')).status).toBe(200))
})

test('sign-in and the health check work while 64 networks send slow queries to the Data API and hang up', async () => {
  const query = `${connection.apiUrl}/rest/v1/gallery_items?select=id&limit=1`
  await sql.begin(async (tx) => {
    await tx`lock table public.gallery_items in access exclusive mode`
    const hangUps = Promise.allSettled(
      Array.from({ length: 64 }, (_, index) =>
        fetch(query, {
          headers: { apikey: connection.publishableKey, 'x-forwarded-for': `203.0.114.${index}` },
          signal: AbortSignal.timeout(300),
        }),
      ),
    )
    const body = JSON.stringify({ email: 'nobody@example.test', password: 'secret1', recaptcha: 'none' })
    for (const round of [1, 2, 3]) {
      const [login, health] = await Promise.all([
        send('/api/auth/login', { method: 'POST', body }),
        send('/api/health'),
      ])
      expect([round, login.status, health.status]).toEqual([round, 401, 200])
    }
    await hangUps
  })
})

test('a network that floods Auth is refused with 429, and others are not', async () => {
  const body = JSON.stringify({ refresh_token: 'abc' })
  const refresh = (address: string) =>
    fetch(`${connection.apiUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: connection.publishableKey, 'x-forwarded-for': address },
      body,
    })
  // The proxy in front of the gateway adds the last address. What a client itself adds to the header has no effect.
  const flood = await Promise.all(
    Array.from({ length: 150 }, (_, index) => refresh(`203.0.113.${index + 50}, 203.0.113.1`)),
  )
  const refused = flood.filter(({ status }) => status === 429)
  // The number depends on how long the requests took.
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(90)
  expect(refused[0]?.headers.get('retry-after')).toBe('10')
  expect(await refused[0]?.json()).toMatchObject({ code: 'rate_limited' })
  expect((await refresh('203.0.113.2')).status).toBe(400)
  // The API calls Auth itself.
  const login = JSON.stringify({ email: 'nobody@example.test', password: 'secret1', recaptcha: 'none' })
  expect((await send('/api/auth/login', { method: 'POST', body: login })).status).toBe(401)
})

test('a WebSocket on a connection that was used for an upload is closed only for what it sends itself', async () => {
  const module = pathToFileURL(join(root, 'stack', 'gateway', 'connections.ts')).href
  const program = `import { ConnectionTimeouts } from '${module}'
    const log = { warn: () => Deno.exit(1), debug: () => undefined }
    const socket = { messageBytes: 0, maxIncompleteBytes: 1000 }
    let timeouts
    const onListen = ({ port }) => {
      timeouts = new ConnectionTimeouts(port, log, () => socket, { checkIntervalMs: 1000, stallTimeoutMs: 60000 })
      console.log(port)
    }
    const respond = async (request) => {
      await Promise.resolve()
      if (request.headers.has('upgrade')) return Deno.upgradeWebSocket(request).response
      await request.arrayBuffer()
      return new Response('stored')
    }
    Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, (request, info) =>
      timeouts.track(info, respond(request)))`
  const child = spawn(deno, ['eval', '--no-lock', '--quiet', '--ext=ts', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    const socket = connect(Number.parseInt(port.toString(), 10), '127.0.0.1').on('error', () => undefined)
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    const upload = Buffer.alloc(1_000_000)
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${upload.length}\r\n\r\n`)
    socket.write(upload)
    await once(socket, 'data')
    socket.write(
      'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 101 /)
    socket.resume()
    await sleep(2500)
    expect(isClosed).toBe(false)
    // The header of a masked text frame of 60 MB, and its beginning.
    socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x03, 0x93, 0x87, 0x00, 0, 0, 0, 0]))
    socket.write(Buffer.alloc(1_000_000))
    await eventually(async () => expect(isClosed).toBe(true))
  } finally {
    child.kill('SIGKILL')
  }
})

test('a network that floods Storage is refused with 429, and others are not', async () => {
  const router = pathToFileURL(join(root, 'stack', 'gateway', 'router.ts')).href
  const program = `import { createRouter } from '${router}'
    const log = { warn: () => undefined }
    const lite = Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: () => undefined }, () => new Response('file'))
    const config = {
      liteUrl: 'http://127.0.0.1:' + lite.addr.port,
      publicUrl: 'http://localhost',
      trustProxy: 1,
      storageRate: 0.2,
    }
    const route = createRouter(config, {}, log)
    const read = async (address) => {
      const headers = { 'x-forwarded-for': address }
      const response = await route(new Request('http://localhost/storage/v1/status', { headers }), '127.0.0.1')
      await response.body.cancel()
      return response.status
    }
    const flood = await Promise.all(Array.from({ length: 20 }, () => read('203.0.113.1')))
    console.log(JSON.stringify([flood[0], flood.at(-1), await read('203.0.113.2')]))
    Deno.exit()`
  const { stdout } = await promisify(execFile)(deno, ['eval', '--no-lock', '--quiet', '--ext=ts', program], {
    cwd: root,
  })
  expect(JSON.parse(stdout)).toEqual([200, 429, 200])
})

test('many pages with many pictures can be opened at a time', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.3' }
  const status = async () => (await fetch(`${connection.apiUrl}/storage/v1/status`, { headers })).status
  const statuses = await Promise.all(Array.from({ length: 800 }, status))
  expect(new Set(statuses)).toEqual(new Set([200]))
})

describe('a full disk', () => {
  /** Makes every insert into a table fail as it does on a full disk. */
  async function failInserts(table: string) {
    await sql.unsafe(`create or replace function private.fail_insert() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    await sql.unsafe(
      `create trigger fail_insert before insert on ${table} execute function private.fail_insert()`,
    )
    return () => sql.unsafe(`drop trigger fail_insert on ${table}`)
  }

  test('makes the health check fail', async () => {
    await expectHealthy()
    const repair = await failInserts('private.health_probe')
    // A successful write counts for 10 seconds.
    await eventually(async () => {
      const { status, checks } = await getHealth()
      expect(status).toBe(503)
      expect(checks).toEqual({
        database: 'failing',
        auth: 'ok',
        storage: 'ok',
        realtime: 'ok',
        dataApi: 'ok',
      })
    })
    await repair()
    await expectHealthy()
  })

  test('is reported as 503 by the API', async () => {
    const repair = await failInserts('private.rate_limits')
    const body = JSON.stringify({ email: 'ana@example.test', password: 'secret1', recaptcha: 'none' })
    expect(await send('/api/auth/login', { method: 'POST', body })).toMatchObject({
      status: 503,
      code: 'storage_full',
    })
    await repair()
    expect((await send('/api/auth/login', { method: 'POST', body })).status).toBe(401)
  })

  test.each([
    ['could not extend file "base/5/16": No space left on device', 503, 'storage_full'],
    ['No space left on device (os error 28)', 503, 'storage_full'],
    ['the database system is starting up', 503, 'unavailable'],
    ['write CONNECTION_CLOSED 127.0.0.1:5432', 503, 'unavailable'],
    ['violates check constraint "x"', 400, 'validation_failed'],
    ['stack depth limit exceeded', 400, 'validation_failed'],
    ['RangeError: Maximum call stack size exceeded', 400, 'validation_failed'],
    ['some other error', 500, 'internal_error'],
  ])('answers for lite’s error "%s" with %i', async (message, status, code) => {
    const response = await hideDatabaseErrors(() => Response.json({ message }, { status: 500 }), {
      error: () => undefined,
    })
    expect({ status: response.status, ...(await response.json()) }).toMatchObject({ status, code })
  })
})

test('a process exits if a database connection is lost while it starts', async () => {
  const setup = pathToFileURL(join(root, 'stack', 'shared', 'process-setup.ts')).href
  const run = (code: string) => {
    const program = `import { setUpProcess } from '${setup}'
      setUpProcess('test')
      await Promise.reject(Object.assign(new Error('lost'), { code: '${code}' }))`
    const child = spawn(deno, ['eval', '--no-lock', '--quiet', '--ext=ts', program], {
      cwd: root,
      env: { ...process.env, STACK_PROCESS_CONFIG: '{"logLevel":"error"}' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    return new Promise((resolve) => child.on('exit', resolve))
  }
  expect(await Promise.all([run('57P01'), run('42501')])).toEqual([75, 1])
})

// Before the next test, which restarts lite: a process that hangs before its first response is given more time.
test('hung processes are restarted', async () => {
  await expectHealthy()
  const scripts = ['stack/lite/main.ts', 'stack/data-api/main.ts', 'stack/gateway/main.ts', 'bin/postgres -D']
  const find = () =>
    scripts.map((script) => {
      const processes = listDescendants(stack.process.pid ?? 0)
      return processes.find(({ command }) => command.includes(script))?.pid
    })
  const before = await eventually(async () => find().map((pid) => pid ?? expect.fail('a process is missing')))
  // Until a process has responded to its first check, it has 90 seconds to start.
  await sleep(3_000)
  for (const pid of before) killProcess(pid, 'SIGSTOP')
  await eventually(async () => {
    const after = find()
    expect(after.filter((pid, index) => pid !== undefined && pid !== before[index])).toHaveLength(
      scripts.length,
    )
  })
  await expectHealthy()
  expect(stack.output().match(/"event":"process_hung"/g)).toHaveLength(scripts.length)
})

test('lost database connections restart processes without ending the stack', async () => {
  let isRunning = true
  const callDataApi = async () => {
    while (isRunning) {
      await send('/rest/v1/posts?select=id&limit=1').catch(() => undefined)
      await sleep(50)
    }
  }
  const statuses = new Set<number>()
  const callLite = async (_: unknown, index: number) => {
    const init = { method: 'POST', body: JSON.stringify({ refresh_token: 'abc' }) }
    for (let call = 0; isRunning; call++) {
      // Different clients, because a network may call Auth only ten times per second.
      const headers = { 'x-forwarded-for': `198.51.${index}.${call % 250}` }
      statuses.add((await send('/auth/v1/token?grant_type=refresh_token', { ...init, headers })).status)
      await sleep(10)
    }
  }
  const callers = [...Array.from({ length: 8 }, callLite), callDataApi()]
  // More often than a process may fail before the stack gives up.
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 10; i++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'lite'`
      await sleep(50)
    }
    await eventually(async () => {
      expect((await getHealth()).checks).toMatchObject({ auth: 'ok', storage: 'ok' })
      expect((await send('/rest/v1/posts?select=id&limit=1')).status).toBe(200)
    })
  }
  isRunning = false
  await Promise.all(callers)
  expect(stack.process.exitCode).toBeNull()
  // 400: the token is invalid. 504: the driver lost the query together with its connection.
  const failures = stack
    .output()
    .match(/^.*"request_failed".*$/gm)
    ?.join('\n')
  for (const status of statuses) expect([400, 503, 504], failures).toContain(status)
})
