import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { hideDatabaseErrors } from '../../stack/shared/lite-errors.ts'
import type { Connection } from '../support/connection.ts'
import { evalDeno, startDeno } from '../support/deno-program.ts'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { eventually, sendTo } from '../support/stack-process.ts'

let stack: IsolatedStack
let connection: Connection
let sql: postgres.Sql

beforeAll(async () => {
  stack = await startIsolatedStack({ CAPTCHA_PROVIDER: 'none', TRUST_PROXY: '1' })
  ;({ connection, sql } = stack)
})

afterAll(() => stack?.discard())

const send = (path: string, init?: Parameters<typeof sendTo>[2]) => sendTo(connection, path, init)
const getHealth = () => send('/api/health')
const expectHealthy = () => eventually(async () => expect((await getHealth()).status).toBe(200))

test('a client that stops reading a response is disconnected, and a slow client is not', async () => {
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
  const { firstLine: port, child } = await startDeno(program)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [slow, ...stalled] = ['/stream', '/stream', '/memory'].map((path) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return socket.on('error', () => undefined).pause()
  })
  // This HTTP/2 client stalls one response through flow control, but not its TCP connection.
  const session = connectHttp2(`http://127.0.0.1:${port}`)
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

test('a network that keeps aborting Data API requests is refused before it reaches the Data API', async () => {
  const path = '/rest/v1/gallery_items?select=id&limit=1'
  await sql.begin(async (tx) => {
    await tx`lock table public.gallery_items in access exclusive mode`
    const sendFor = (ms: number) => send(path, { signal: AbortSignal.timeout(ms) })
    await Promise.allSettled(Array.from({ length: 15 }, () => sendFor(200)))
    // A request that reached the Data API would time out instead, because the table is locked. The refusal is delayed
    // by one second.
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
  const refreshSession = (address: string) =>
    fetch(`${connection.apiUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: connection.publishableKey, 'x-forwarded-for': address },
      body,
    })
  // The proxy in front of the gateway adds the last address. Addresses that the client adds itself have no effect.
  const flood = await Promise.all(
    Array.from({ length: 150 }, (_, index) => refreshSession(`203.0.113.${index + 50}, 203.0.113.1`)),
  )
  const refused = flood.filter(({ status }) => status === 429)
  // How many requests are refused depends on how long they take.
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(90)
  expect(refused[0]?.headers.get('retry-after')).toBe('10')
  expect(await refused[0]?.json()).toMatchObject({ code: 'rate_limited' })
  expect((await refreshSession('203.0.113.2')).status).toBe(400)
  // The API calls Auth directly, so the gateway's limit does not apply to it.
  const login = JSON.stringify({ email: 'nobody@example.test', password: 'secret1', recaptcha: 'none' })
  expect((await send('/api/auth/login', { method: 'POST', body: login })).status).toBe(401)
})

test('a WebSocket is closed for an oversized message, but not for an earlier upload on its connection', async () => {
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
  const { firstLine: port, child } = await startDeno(program)
  try {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
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
    // The header and the first megabyte of a masked text frame of 60 MB.
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
  const { stdout } = await evalDeno(program)
  expect(JSON.parse(stdout)).toEqual([200, 429, 200])
})

test('one network can send 800 requests to Storage at the same time, enough for many pages with pictures', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.3' }
  const status = async () => (await fetch(`${connection.apiUrl}/storage/v1/status`, { headers })).status
  const statuses = await Promise.all(Array.from({ length: 800 }, status))
  expect(new Set(statuses)).toEqual(new Set([200]))
})

describe('a full disk', () => {
  /** Makes every insert into a table fail as it would on a full disk. */
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
    // The result of a successful write is cached for 10 seconds.
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
])('an error from @supabase/lite with the message "%s" gets the status %i', async (message, status, code) => {
  const response = await hideDatabaseErrors(() => Response.json({ message }, { status: 500 }), {
    error: () => undefined,
  })
  expect({ status: response.status, ...(await response.json()) }).toMatchObject({ status, code })
})

test('a process exits with 75 if it loses a database connection at startup, and with 1 for other errors', async () => {
  const setup = pathToFileURL(join(root, 'stack', 'shared', 'process-setup.ts')).href
  const run = (code: string) => {
    const program = `import { setUpProcess } from '${setup}'
      setUpProcess('test')
      await Promise.reject(Object.assign(new Error('lost'), { code: '${code}' }))`
    return evalDeno(program, { STACK_PROCESS_CONFIG: '{"logLevel":"error"}' }).then(
      () => 0,
      (error) => error.code,
    )
  }
  expect(await Promise.all([run('57P01'), run('42501')])).toEqual([75, 1])
})
