import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Connection } from '../support/connection.ts'
import { insertAccount } from '../support/insert-account.ts'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { listen } from '../support/listen.ts'
import { killProcess, listDescendants } from '../support/processes.ts'
import { eventually, sendTo } from '../support/stack-process.ts'

let stack: IsolatedStack
let connection: Connection
let sql: postgres.Sql

/** A mail server that accepts connections and never responds. */
const mailServer = createServer()

beforeAll(async () => {
  const { port } = await listen(mailServer)
  stack = await startIsolatedStack({
    CAPTCHA_PROVIDER: 'none',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    HEARTBEAT_TIMEOUT_SECONDS: '3',
    TRUST_PROXY: '1',
  })
  ;({ connection, sql } = stack)
})

afterAll(async () => {
  await stack?.discard()
  mailServer.close()
})

const send = (path: string, init?: Parameters<typeof sendTo>[2]) => sendTo(connection, path, init)
const getHealth = () => send('/api/health')
const expectHealthy = () => eventually(async () => expect((await getHealth()).status).toBe(200))

// Runs concurrently with the tests of slow connections, because it mostly waits.
test.concurrent('the stack keeps running without the studio if the studio keeps failing', async () => {
  await eventually(async () => {
    const processes = listDescendants(stack.process.pid ?? 0)
    const studio = processes.find(({ command }) => command.includes('stack/studio/main.ts'))
    if (studio) killProcess(studio.pid, 'SIGKILL')
    expect(stack.output()).toContain('"event":"studio_stopped"')
  })
  await expectHealthy()
  expect(stack.process.exitCode).toBeNull()
})

// These tests run concurrently, because they mostly wait.
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

  test('without complete request headers are closed after 20 seconds, even if bytes keep arriving', async () => {
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
    // The other connections have sent complete request headers.
    expect([idle.closedAt, uploading.closedAt, webSocket.readyState]).toEqual([null, null, WebSocket.OPEN])
    webSocket.terminate()
    for (const { socket } of [idle, uploading]) socket.destroy()
  })

  test('from a client or to the mail server do not make Auth restart', async () => {
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
    // Auth restarts if a request takes 30 seconds after its body has arrived.
    await sleep(31_000)
    expect(stack.output()).not.toContain('database_connection_lost')
    slow.socket.write(body.slice(1))
    await eventually(async () => expect(response).toMatch(/^HTTP\/1\.1 400 /))
    slow.socket.destroy()
  })
})

// Must run before the next test, which restarts Auth: a process that has just started is given more time to respond.
test('hung processes are restarted', async () => {
  await expectHealthy()
  const scripts = ['stack/lite/main.ts', 'stack/data-api/main.ts', 'stack/gateway/main.ts', 'bin/postgres -D']
  const find = () =>
    scripts.map((script) => {
      const processes = listDescendants(stack.process.pid ?? 0)
      return processes.find(({ command }) => command.includes(script))?.pid
    })
  const before = await eventually(async () =>
    find().map((pid) => pid ?? expect.fail('A process is missing.')),
  )
  // Waits until every process has responded to its first check. Until then, a process has 90 seconds to start.
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
  const callAuth = async (_: unknown, index: number) => {
    const init = { method: 'POST', body: JSON.stringify({ refresh_token: 'abc' }) }
    for (let call = 0; isRunning; call++) {
      // The calls come from different addresses, because Auth accepts only ten calls per second from one address.
      const headers = { 'x-forwarded-for': `198.51.${index}.${call % 250}` }
      statuses.add((await send('/auth/v1/token?grant_type=refresh_token', { ...init, headers })).status)
      await sleep(10)
    }
  }
  const callers = [...Array.from({ length: 8 }, callAuth), callDataApi()]
  // The stack would give up if these lost connections counted as failures of a process.
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
  // 400: the token is invalid. 503: Auth was restarting, or its connection was lost. 504: the query never finished,
  // because its connection was lost.
  const failures = stack
    .output()
    .match(/^.*"request_failed".*$/gm)
    ?.join('\n')
  for (const status of statuses) expect([400, 503, 504], failures).toContain(status)
})
