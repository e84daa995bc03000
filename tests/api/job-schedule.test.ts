import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startSchedule } from '../../stack/supervisor/schedule.ts'
import { jobs } from '../../supabase/functions/_shared/jobs/schedule.ts'
import { listen } from '../support/listen.ts'
import { stack } from '../support/stack.ts'

/** Tests the list of jobs and the schedulers that use it. */

const migrations = new URL('../../supabase/migrations/', import.meta.url)
const migrationSql = readdirSync(migrations)
  .map((name) => readFileSync(new URL(name, migrations), 'utf8'))
  .join('\n')

describe('the list of jobs', () => {
  it('matches the cron schedule in the migrations', () => {
    const cronSchedule = new Map(
      [...migrationSql.matchAll(/\('([a-z-]+)', '((?:\*\/\d+|\*) \* \* \* \*)'\)/g)].map(([, name, cron]) => [
        name,
        cron,
      ]),
    )
    const listed = jobs.map(({ name, intervalSeconds }) => {
      expect(intervalSeconds % 60).toBe(0)
      return [name, intervalSeconds === 60 ? '* * * * *' : `*/${intervalSeconds / 60} * * * *`]
    })
    expect(Object.fromEntries(cronSchedule)).toEqual(Object.fromEntries(listed))
  })

  it('contains only jobs that have an endpoint, and each endpoint requires the secret', async () => {
    for (const { name } of jobs)
      expect([name, (await fetch(`${stack.jobsUrl}/${name}`, { method: 'POST' })).status]).toEqual([
        name,
        401,
      ])
    expect((await fetch(`${stack.jobsUrl}/no-such-job`, { method: 'POST' })).status).toBe(404)
  })
})

describe('the embedded stack’s scheduler', () => {
  afterEach(() => vi.useRealTimers())

  it('catches up on missed runs, calls each job on time without overlap, and stops', async () => {
    const everyMinute = jobs
      .filter(({ intervalSeconds }) => intervalSeconds === 60)
      .map(({ name }) => `/jobs/${name}?scheduled=1`)
    const calls: string[] = []
    const pendingResponses: (() => void)[] = []
    const http = createServer((request, response) => {
      calls.push(request.url ?? '')
      if (everyMinute.includes(request.url ?? '')) pendingResponses.push(() => response.end())
      else response.end('{}')
    })
    const server = await listen(http)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const log = { warn: vi.fn() }
    const stop = startSchedule(`${server.url}/jobs`, 'secret', log)
    /** Advances the timers and waits until the expected number of calls has arrived. */
    const advance = async (seconds: number, expected: number) => {
      calls.length = 0
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      await vi.waitUntil(() => calls.length >= expected, { timeout: 5000, interval: 5 })
      return [...calls].sort()
    }
    try {
      const missedRuns = jobs.map(({ name }) => `/jobs/${name}?due=1`)
      expect(await advance(3, jobs.length)).toEqual([...missedRuns].sort())
      expect(await advance(58, everyMinute.length)).toEqual([...everyMinute].sort())
      // The every-minute jobs are still running, so only the five-minute jobs are called.
      const everyFiveMinutes = jobs
        .filter(({ intervalSeconds }) => intervalSeconds === 300)
        .map(({ name }) => `/jobs/${name}?scheduled=1`)
      expect(await advance(240, everyFiveMinutes.length)).toEqual([...everyFiveMinutes].sort())
      expect(pendingResponses).toHaveLength(everyMinute.length)
      for (const respond of pendingResponses) respond()
      // After the every-minute jobs have finished, they are called again on schedule.
      await vi.waitUntil(
        async () => {
          await vi.advanceTimersByTimeAsync(60_000)
          return pendingResponses.length === 2 * everyMinute.length
        },
        { timeout: 5000, interval: 50 },
      )
      expect(log.warn).not.toHaveBeenCalled()
      stop()
      await advance(3600, 0)
      // Any earlier call would have arrived before this one.
      await fetch(`${server.url}/after`)
      expect(calls).toEqual(['/after'])
    } finally {
      stop()
      vi.useRealTimers()
      await server.stop()
    }
  })
})
