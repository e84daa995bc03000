import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SystemStatus } from '@contract/admin.ts'
import { LoginResponse } from '@contract/auth.ts'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { root } from '../../scripts/lib/paths.mjs'
import type { Connection } from '../support/connection.ts'
import { insertAccount } from '../support/insert-account.ts'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { killProcess, listDescendants } from '../support/processes.ts'
import { eventually } from '../support/stack-process.ts'
import { sendRawRequest } from './raw-request.ts'

const metricsToken = 'a-token-for-metrics'
let stack: IsolatedStack
let connection: Connection
let sql: postgres.Sql

beforeAll(async () => {
  stack = await startIsolatedStack({
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: 'info',
    CAPTCHA_PROVIDER: 'none',
  })
  ;({ connection, sql } = stack)
})

afterAll(() => stack?.discard())

type LogLine = { event: string; requestId?: string; [field: string]: unknown }

/** Returns the log lines of a request. */
const linesOf = (requestId: string | null): LogLine[] =>
  stack
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && requestId !== null && line.includes(requestId))
    .map((line) => JSON.parse(line) as LogLine)

/** Waits for the access log line of a response and returns it. */
const accessLine = (response: Response) =>
  eventually(async () => {
    const line = linesOf(response.headers.get('x-request-id')).find(
      ({ event }) => event === 'request_completed',
    )
    if (!line) throw new Error(`There is no access log line for ${response.url}.`)
    return line
  }, 5000)

/** Calls a job once and returns the response. Unlike `runJob`, does not retry. */
async function startJob(name: string, query = ''): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${connection.jobsUrl}/${name}${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${connection.jobSecret}` },
  })
  return { status: response.status, body: await response.json() }
}

describe('the access log', () => {
  it('names the route, the status and the kind of caller of each request', async () => {
    const { apiUrl, publishableKey, secretKey, jobsUrl, jobSecret } = connection
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
    const expected: [string, RequestInit, object][] = [
      [
        `${apiUrl}/api/config?token=hidden-word`,
        {},
        { route: '/api/config', status: 200, caller: 'visitor' },
      ],
      [
        `${apiUrl}/api/posts/hidden-word/comments`,
        {},
        { route: '/api/posts/:id/comments', status: 404, caller: 'visitor' },
      ],
      [`${apiUrl}/api/hidden-word`, { method: 'POST' }, { route: '/api/*', status: 404 }],
      [`${apiUrl}/api/admin/system`, {}, { status: 401, caller: 'visitor' }],
      [
        `${apiUrl}/rest/v1/profiles?select=id&username=eq.hidden-word`,
        { headers: { apikey: publishableKey } },
        { route: '/rest/v1/*', status: 200, caller: 'visitor' },
      ],
      [
        `${apiUrl}/rest/v1/profiles?select=id`,
        { headers: { apikey: secretKey } },
        { route: '/rest/v1/*', status: 200, caller: 'service' },
      ],
      [`${apiUrl}/hidden-word`, {}, { route: '/*', status: 404 }],
      [
        `${jobsUrl}/trending`,
        { method: 'POST', headers: bearer(jobSecret) },
        { route: '/jobs/trending', status: 200, caller: 'service' },
      ],
    ]
    for (const [url, init, line] of expected) {
      const response = await fetch(url, init)
      await response.body?.cancel()
      const access = await accessLine(response)
      expect(access).toMatchObject({ level: 'info', method: init.method ?? 'GET', ...line })
      expect(access.ms).toBeGreaterThan(0)
    }
    expect(stack.output()).not.toContain('hidden-word')
    expect(stack.output()).not.toContain(secretKey)
  })

  it('ignores a request ID from the client, and logs an unknown method as OTHER', async () => {
    const id = crypto.randomUUID()
    const response = await fetch(`${connection.apiUrl}/api/config`, { headers: { 'X-Request-Id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('x-request-id')).not.toBe(id)
    const odd = await sendRawRequest(stack.port, '/api/config', {}, 'MERGE')
    await eventually(async () => {
      const [line] = linesOf(String(odd.headers['x-request-id']))
      expect(line).toMatchObject({ method: 'OTHER' })
    }, 5000)
  })
})

/** Reads posts through the Data API. */
const queryPosts = (signal?: AbortSignal) =>
  fetch(`${connection.apiUrl}/rest/v1/posts?select=id`, {
    headers: { apikey: connection.publishableKey },
    signal: signal ?? null,
  })

/** Kills a process of the stack, which the supervisor then starts again. */
function killStackProcess(name: string): void {
  const found = listDescendants(stack.process.pid ?? 0).find(({ command }) =>
    command.includes(`${name}/main.ts`),
  )
  killProcess(found?.pid ?? 0, 'SIGKILL')
}

describe('a query of the Data API that takes too long', () => {
  it('has the same request ID in the response and in the log lines of the Data API and the gateway', async () => {
    await sql.begin(async (tx) => {
      await tx`lock table public.posts in access exclusive mode`
      const response = await queryPosts()
      expect(response.status).toBe(504)
      await accessLine(response)
      expect(linesOf(response.headers.get('x-request-id'))).toMatchObject([
        { process: 'data-api', event: 'query_timed_out' },
        { process: 'gateway', event: 'request_completed', route: '/rest/v1/*', status: 504 },
      ])
    })
  })

  it('is logged with status 499 if the client hangs up', async () => {
    await sql.begin(async (tx) => {
      await tx`lock table public.posts in access exclusive mode`
      await expect(queryPosts(AbortSignal.timeout(300))).rejects.toThrow()
      await eventually(async () =>
        expect(stack.output()).toMatch(/"request_completed".*"route":"\/rest\/v1\/\*","status":499/),
      )
    })
  })
})

/** Parses metrics in Prometheus' text format into values by name and labels. */
function parseMetrics(text: string): Map<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const split = line.lastIndexOf(' ')
      return [line.slice(0, split), Number(line.slice(split + 1))]
    }),
  )
}

const readMetrics = async () => parseMetrics(await (await fetch(connection.metricsUrl)).text())

describe('GET /metrics', () => {
  it('is served to programs on this machine, and to other clients with the token', async () => {
    const local = await fetch(connection.metricsUrl)
    expect([local.status, local.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const port = Number(new URL(connection.metricsUrl).port)
    expect((await sendRawRequest(port, '/metrics', { host: 'evil.example' })).status).toBe(403)
    const statusWith = async (authorization?: string) =>
      (await fetch(`${connection.apiUrl}/metrics`, authorization ? { headers: { authorization } } : {}))
        .status
    expect(await statusWith()).toBe(404)
    expect(await statusWith(`Bearer ${metricsToken}x`)).toBe(404)
    expect(await statusWith(`Bearer ${connection.secretKey}`)).toBe(404)
    expect(await statusWith(`Bearer ${metricsToken}`)).toBe(200)
  })

  it('is documented, and the documented alerts use only metrics that exist', async () => {
    const text = await (await fetch(connection.metricsUrl)).text()
    const served = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    const reference = readFileSync(join(root, 'docs/reference/metrics.md'), 'utf8')
    expect([...reference.matchAll(/`(ovation_\w+)`/g)].map(([, name]) => name).sort()).toEqual(served.sort())
    const guide = readFileSync(join(root, 'docs/guides/monitor.md'), 'utf8')
    const used = [...guide.matchAll(/ovation_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''))
    expect(served).toEqual(expect.arrayContaining(used))
    expect(used.length).toBeGreaterThan(10)
  })

  it('counts requests by route and status', async () => {
    const key = 'ovation_http_requests_total{method="GET",route="/api/topics/:tag/posts",status="200"}'
    const before = (await readMetrics()).get(key) ?? 0
    for (const tag of ['one', 'two', 'three']) await fetch(`${connection.apiUrl}/api/topics/${tag}/posts`)
    const after = await readMetrics()
    expect((after.get(key) ?? 0) - before).toBe(3)
    const duration = 'ovation_http_request_duration_seconds'
    const labels = 'method="GET",route="/api/topics/:tag/posts"'
    expect(after.get(`${duration}_count{${labels}}`)).toBe(before + 3)
    expect(after.get(`${duration}_bucket{le="+Inf",${labels}}`)).toBe(before + 3)
  })

  it('does not create series for the paths and methods that a client makes up', async () => {
    const paths = [
      '/api/',
      '/api/posts/',
      '/api/users/',
      '/rest/v1/',
      '/storage/v1/object/',
      '/auth/v1/',
      '/',
    ]
    const sendRound = async (word: string) => {
      for (const path of paths) {
        for (const method of ['GET', `X${word}`])
          await sendRawRequest(stack.port, `${path}${word}`, {}, method)
      }
      const series = [...(await readMetrics()).keys()].filter((name) => name.startsWith('ovation_http_'))
      // The scheduler and the supervisor make requests, too.
      return series.filter((name) => !/route="\/(jobs\/|api\/health)/.test(name))
    }
    const first = await sendRound('oddword')
    expect(await sendRound('otherword')).toEqual(first)
    expect(first.join()).not.toContain('oddword')
  })

  it('reports the health checks, queues, jobs, connections, sockets and the disk', async () => {
    const socket = new WebSocket(
      `${connection.apiUrl.replace('http', 'ws')}/realtime/v1/websocket?apikey=${connection.publishableKey}&vsn=1.0.0`,
    )
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    await sql`
      insert into public.moderation_cases (kind, subject_id, user_id)
      values ('user', gen_random_uuid(), gen_random_uuid()), ('user', gen_random_uuid(), gen_random_uuid())`
    await startJob('clean-up')
    try {
      await expect
        .poll(async () => (await readMetrics()).get('ovation_queue_length{queue="moderation_cases"}'))
        .toBe(2)
      const metrics = await readMetrics()
      for (const part of ['database', 'auth', 'storage', 'realtime', 'dataApi']) {
        expect([part, metrics.get(`ovation_health{part="${part}"}`)]).toEqual([part, 1])
      }
      expect(metrics.get('ovation_realtime_sockets')).toBe(1)
      expect(metrics.get('ovation_database_status_read')).toBe(1)
      expect(metrics.get('ovation_ledger_imbalance_cents')).toBe(0)
      expect(metrics.get('ovation_job_consecutive_failures{job="clean-up"}')).toBe(0)
      expect(metrics.get('ovation_job_last_duration_seconds{job="clean-up"}')).toBeGreaterThan(0)
      const lastSuccess = metrics.get('ovation_job_last_success_timestamp_seconds{job="clean-up"}')
      expect(Math.abs((lastSuccess ?? 0) - Date.now() / 1000)).toBeLessThan(60)
      expect(metrics.get('ovation_disk_free_bytes')).toBeGreaterThan(0)
      expect(metrics.get('ovation_disk_size_bytes')).toBeGreaterThan(
        metrics.get('ovation_disk_free_bytes') ?? 0,
      )
      expect(metrics.get('ovation_database_pool_connections{state="free"}')).toBeGreaterThan(0)
      const gatewayConnections = [...metrics].filter(([name]) =>
        name.startsWith('ovation_database_connections{role="gateway"'),
      )
      expect(gatewayConnections.length).toBeGreaterThan(0)
    } finally {
      socket.close()
    }
  })
})

describe('a job', () => {
  const skipped = { status: 200, body: { skipped: true } }
  const worked = { status: 200, body: { counted: expect.anything() } }
  const readRun = async () => {
    const [run] = await sql<{ leaseSeconds: number; failures: number }[]>`
      select extract(epoch from running_until - clock_timestamp())::float8 as "leaseSeconds", failures
      from private.job_runs where name = 'trending'`
    return run
  }

  /**
   * Runs `work` while a run of the job waits for a lock. Returns the run's pending response wrapped in an object.
   * Without the object, the transaction that holds the lock would wait for the response.
   */
  async function whileJobRuns(work: () => Promise<void>) {
    return await sql.begin(async (tx) => {
      await tx`lock table private.trending_tags in access exclusive mode`
      const run = startJob('trending').catch(() => null)
      await eventually(async () => {
        const [waiting] = await sql`
          select from pg_locks where relation = 'private.trending_tags'::regclass and not granted`
        if (!waiting) throw new Error('The job is not waiting yet.')
      })
      await work()
      return { run }
    })
  }

  it('is not run twice at the same time, however long it takes', async () => {
    const { run } = await whileJobRuns(async () => {
      expect(await startJob('trending')).toEqual(skipped)
      // Unless it is renewed, the lease now ends in 6 seconds.
      await sql`update private.job_runs set running_until = clock_timestamp() + interval '6 seconds'
                where name = 'trending'`
      await expect.poll(async () => (await readRun())?.leaseSeconds).toBeGreaterThan(20)
      expect(await startJob('trending')).toEqual(skipped)
      // Simulates a system clock that was set back by a minute: the stored times are in the future.
      await sql`update private.job_runs
                set started_at = started_at + interval '1 minute', running_until = running_until + interval '1 minute'
                where name = 'trending'`
      expect(await startJob('trending')).toEqual(skipped)
    })
    expect(await run).toEqual(worked)
    expect(await startJob('trending')).toEqual(worked)
  })

  it('logs why and where a statement failed, unless the message may contain values', async () => {
    const [original] = await sql<{ text: string }[]>`
      select pg_get_functiondef('private.refresh_trending()'::regprocedure) as text`
    const failWith = (statement: string) =>
      sql.unsafe(
        (original?.text ?? '').replace(
          /(?<=AS \$function\$).*(?=\$function\$)/s,
          () => ` begin ${statement}; end `,
        ),
      )
    const run = async () => {
      const response = await fetch(`${connection.jobsUrl}/trending`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${connection.jobSecret}` },
      })
      expect(response.status).toBe(500)
      await accessLine(response)
      return linesOf(response.headers.get('x-request-id')).find(({ event }) => event === 'request_failed')
    }
    try {
      await failWith('perform private.missing()')
      const line = await run()
      expect(line).toMatchObject({ code: '42883', reason: 'function private.missing() does not exist' })
      expect(line?.at).toContain('functions/jobs/routes.ts')
      await failWith(`perform to_tsquery('a secret text')`)
      expect(await run()).toMatchObject({ code: '42601' })
      expect(stack.output()).not.toContain('a secret text')
    } finally {
      await sql.unsafe(original?.text ?? '')
    }
    expect(await startJob('trending')).toEqual(worked)
  })

  it('can run again once the lease of a crashed run has ended', async () => {
    await whileJobRuns(async () => {
      killStackProcess('gateway')
      await eventually(async () => expect((await fetch(`${connection.apiUrl}/api/health`)).status).toBe(200))
      expect(await startJob('trending')).toEqual(skipped)
      expect((await readRun())?.leaseSeconds).toBeLessThanOrEqual(30)
      await sql`update private.job_runs set running_until = clock_timestamp() where name = 'trending'`
      await expect
        .poll(async () => await (await fetch(`${connection.apiUrl}/api/health`)).json())
        .toMatchObject({ status: 'ok', failingJobs: ['trending'] })
    })
    expect(await startJob('trending')).toEqual(worked)
    expect(await readRun()).toEqual({ leaseSeconds: null, failures: 0 })
  })

  it('logs that another run has taken its lease', async () => {
    const { run } = await whileJobRuns(async () => {
      await sql`update private.job_runs set token = gen_random_uuid() where name = 'trending'`
      await eventually(async () => expect(stack.output()).toContain('"event":"job_lease_lost"'))
      await sql`update private.job_runs set running_until = clock_timestamp() where name = 'trending'`
    })
    expect(await run).toEqual(worked)
    // The run that has lost the lease does not overwrite the result of the other run.
    expect((await readRun())?.failures).toBe(0)
    expect((await readRun())?.leaseSeconds).toBeLessThanOrEqual(0)
    expect(await startJob('trending')).toEqual(worked)
  })

  it('is reported by the health check and retried less often while it fails', async () => {
    await sql`alter table private.trending_tags rename to missing_tags`
    try {
      for (const failures of [1, 2]) {
        expect((await startJob('trending', '?scheduled=1')).status).toBe(500)
        expect((await readRun())?.failures).toBe(failures)
        // Simulates the passage of a whole interval.
        await sql`update private.job_runs set started_at = started_at - interval '10 minutes'
                  where name = 'trending'`
      }
      expect(await startJob('trending', '?scheduled=1')).toEqual(skipped)
      const key = 'ovation_job_consecutive_failures{job="trending"}'
      await expect.poll(async () => (await readMetrics()).get(key)).toBe(2)
      await expect
        .poll(async () => await (await fetch(`${connection.apiUrl}/api/health`)).json())
        .toMatchObject({ status: 'ok', failingJobs: ['trending'] })
      await sql`update private.job_runs set started_at = started_at - interval '10 minutes'
                where name = 'trending'`
      expect((await startJob('trending', '?scheduled=1')).status).toBe(500)
    } finally {
      await sql`alter table private.missing_tags rename to trending_tags`
    }
    // A call without `?scheduled=1` runs the job regardless of earlier failures.
    expect(await startJob('trending')).toEqual(worked)
    await expect
      .poll(async () => await (await fetch(`${connection.apiUrl}/api/health`)).json())
      .not.toHaveProperty('failingJobs')
  })
})

describe('GET /api/admin/system', () => {
  it('lists errors from other processes, even after one of them was restarted', async () => {
    const credentials = { email: 'boss@example.com', password: 'correct-horse' }
    const form = { ...credentials, fullName: 'Boss', username: 'boss', phoneNumber: '+1 555 0100 200' }
    await insertAccount(sql, form)
    await sql`select private.grant_admin(${credentials.email})`
    const login = await fetch(`${connection.apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...credentials, recaptcha: 'off' }),
    })
    const { session } = LoginResponse.parse(await login.json())
    const requestId = await sql.begin(async (tx) => {
      await tx`lock table public.posts in access exclusive mode`
      return (await queryPosts()).headers.get('x-request-id')
    })
    killStackProcess('data-api')
    await eventually(async () => {
      const response = await fetch(`${connection.apiUrl}/api/admin/system`, {
        headers: { Authorization: `Bearer ${session.access_token}` },
      })
      const { errors } = SystemStatus.parse(await response.json())
      const exit = errors.findIndex(({ detail }) => detail.startsWith('process: supervisor, name: data-api'))
      const timeout = errors.findIndex((error) => error.requestId === requestId)
      expect(errors[exit]).toMatchObject({ level: 'warn', event: 'process_exited', requestId: null })
      expect(errors[timeout]).toMatchObject({
        event: 'query_timed_out',
        detail: 'process: data-api, path: /rest/v1/posts',
      })
      expect(exit).toBeLessThan(timeout)
    })
  })
})
