import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startSchedule } from '../../stack/supervisor/schedule.ts'
import { jobs } from '../../supabase/functions/_shared/jobs/schedule.ts'
import { stack } from '../support/stack.ts'

/** The one list of jobs, and the clocks that go by it. */

const migrations = new URL('../../supabase/migrations/', import.meta.url)
const written = readdirSync(migrations)
  .map((name) => readFileSync(new URL(name, migrations), 'utf8'))
  .join('\n')

describe('the list of jobs', () => {
  it('is what the clock of the database is given', () => {
    const minutes = new Map(
      [...written.matchAll(/\('([a-z-]+)', '((?:\*\/\d+|\*) \* \* \* \*)'\)/g)].map(([, name, cron]) => [
        name,
        cron,
      ]),
    )
    const listed = jobs.map(({ name, intervalSeconds }) => {
      expect(intervalSeconds % 60).toBe(0)
      return [name, intervalSeconds === 60 ? '* * * * *' : `*/${intervalSeconds / 60} * * * *`]
    })
    expect(Object.fromEntries(minutes)).toEqual(Object.fromEntries(listed))
  })

  it('is what the function answers, for its secret alone', async () => {
    for (const { name } of jobs)
      expect([name, (await fetch(`${stack.jobsUrl}/${name}`, { method: 'POST' })).status]).toEqual([
        name,
        401,
      ])
    expect((await fetch(`${stack.jobsUrl}/no-such-job`, { method: 'POST' })).status).toBe(404)
  })
})

describe('the timer of the embedded stack', () => {
  afterEach(() => vi.useRealTimers())

  it('makes up for what was missed, then calls each job at its time, none beside itself, until it is stopped', async () => {
    const calls: string[] = []
    const hanging: (() => void)[] = []
    const server = createServer((request, response) => {
      calls.push(request.url ?? '')
      if (request.url === '/jobs/moderation') hanging.push(() => response.end())
      else response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const log = { warn: vi.fn() }
    const { port } = server.address() as AddressInfo
    const stop = startSchedule(`http://127.0.0.1:${port}/jobs`, 'secret', log)
    /** Lets so much time pass, and the calls that this brings arrive. */
    const pass = async (seconds: number, expected: number) => {
      calls.length = 0
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      await vi.waitUntil(() => calls.length >= expected, { timeout: 5000, interval: 5 })
      return [...calls].sort()
    }
    try {
      const all = jobs.map(({ name }) => `/jobs/${name}?due=1`)
      expect(await pass(3, jobs.length)).toEqual([...all].sort())
      expect(await pass(58, 1)).toEqual(['/jobs/moderation'])
      // It is not back yet: it is not called again, and the others are.
      const often = jobs
        .filter(({ intervalSeconds }) => intervalSeconds === 300)
        .map(({ name }) => `/jobs/${name}`)
      expect(await pass(240, often.length)).toEqual([...often].sort())
      expect(hanging).toHaveLength(1)
      hanging[0]?.()
      // Once it is back, its next minute calls it again.
      await vi.waitUntil(
        async () => {
          await vi.advanceTimersByTimeAsync(60_000)
          return hanging.length === 2
        },
        { timeout: 5000, interval: 50 },
      )
      expect(log.warn).not.toHaveBeenCalled()
      stop()
      await pass(3600, 0)
      // What had been sent before it would have arrived before it.
      await fetch(`http://127.0.0.1:${port}/after`)
      expect(calls).toEqual(['/after'])
    } finally {
      stop()
      vi.useRealTimers()
      server.closeAllConnections()
      server.close()
    }
  })
})
