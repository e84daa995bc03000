import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { deno, root } from '../../scripts/lib/paths.mjs'
import { evalDeno } from '../support/deno-program.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ovation-'))

afterAll(() => rmSync(dataDir, { recursive: true }))

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface Schedule {
  /** How old the newest archive is, or null if there is none. */
  newestAgeMs?: number | null
  /** How long ago WAL archiving began, or null if it is off. */
  walAgeMs?: number | null
  /** The result of each backup: null, or the reason for its failure. */
  results?: (string | null)[]
  /** Whether the stack stops during the last backup, or before any backup if `results` is empty. */
  isStopped?: boolean
}

/**
 * Runs the schedule, with timers that fire immediately, until no result is left. The daily backup is due two hours
 * after the start.
 *
 * @returns how long each timer would have waited, what was logged, how many backups were stopped, and how many timers
 *   were cleared
 */
async function runSchedule({
  newestAgeMs = null,
  walAgeMs = null,
  results = [],
  isStopped = false,
}: Schedule) {
  const script = `
    import { setImmediate } from 'node:timers'
    import { startBackupSchedule } from ${JSON.stringify(join(root, 'stack', 'supervisor', 'backup-schedule.ts'))}
    const { newestAgeMs, walAgeMs, results, isStopped, dataDir } = ${JSON.stringify({ newestAgeMs, walAgeMs, results, isStopped, dataDir })}
    const waits = [], events = []
    let fire, clearedTimers = 0
    globalThis.clearTimeout = () => { clearedTimers++ }
    globalThis.setTimeout = (callback, ms) => (waits.push(ms), fire = callback, 1)
    const nameOf = (ageMs) =>
      'ovation-' + new Date(Date.now() - ageMs).toISOString().slice(0, 19).replaceAll(':', '-') + 'Z.tar.gz'
    const record = (event, fields) => events.push(fields?.reason ? event + ': ' + fields.reason : event)
    const due = new Date(Date.now() + ${2 * hourMs})
    let stops = 0
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
    const stop = startBackupSchedule({
      root: '/srv/ovation', dataDir, walSince: walAgeMs === null ? null : new Date(Date.now() - walAgeMs),
      minuteOfDay: due.getUTCHours() * 60 + due.getUTCMinutes(), log: { info: record, error: record },
      destination: { list: async () => newestAgeMs === null ? [] : [{ name: nameOf(newestAgeMs) }, { name: nameOf(newestAgeMs + 1e9) }] },
    }, () => {
      const result = results.shift()
      if (result === 'cannot start') throw new Error(result)
      return { failure: Promise.resolve(result), stop: async () => { stops++ } }
    })
    const waitForTimers = async (count) => { while (waits.length < count) await nextTurn() }
    await waitForTimers(1)
    if (results.length === 0 && isStopped) await stop()
    while (results.length > 0) {
      const count = waits.length
      const isLast = results.length === 1
      fire()
      if (isLast && isStopped) {
        await stop()
        for (let i = 0; i < 20; i++) await nextTurn()
      } else await waitForTimers(count + 1)
    }
    console.log(JSON.stringify({ waits, events, stops, clearedTimers }))`
  const { stdout } = await evalDeno(script)
  return JSON.parse(stdout) as { waits: number[]; events: string[]; stops: number; clearedTimers: number }
}

/** Expects a wait until the configured time of day, which is two hours from now, rounded down to the minute. */
function expectTimeOfDay(waitMs: number | undefined): void {
  expect(waitMs).toBeGreaterThan(2 * hourMs - 2 * minuteMs)
  expect(waitMs).toBeLessThanOrEqual(2 * hourMs)
}

describe('the backup schedule', () => {
  it('waits for the configured time of day if the newest archive is less than a day old', async () => {
    const { waits } = await runSchedule({ newestAgeMs: dayMs - hourMs })
    expect(waits).toHaveLength(1)
    expectTimeOfDay(waits[0])
  })

  it.each([
    ['the newest archive is more than a day old', dayMs + hourMs],
    ['there is no archive', null],
  ])('catches up a minute after the start if %s', async (_, newestAgeMs) => {
    expect((await runSchedule({ newestAgeMs })).waits).toEqual([minuteMs])
  })

  it('begins immediately if the newest archive is older than the start of WAL archiving', async () => {
    expect((await runSchedule({ newestAgeMs: hourMs, walAgeMs: minuteMs })).waits).toEqual([0])
    expectTimeOfDay((await runSchedule({ newestAgeMs: minuteMs, walAgeMs: hourMs })).waits[0])
  })

  it('tries again an hour after a failure, and waits for the configured time of day after a success', async () => {
    const { waits, events } = await runSchedule({ results: ['The disk is full.', 'cannot start', null] })
    expect(waits).toEqual([minuteMs, hourMs, hourMs, expect.any(Number)])
    expectTimeOfDay(waits[3])
    expect(events).toEqual([
      'backup_started',
      'backup_failed: The disk is full.',
      'backup_started',
      'backup_failed: cannot start',
      'backup_started',
      'backup_finished',
    ])
  })

  it.each([
    [
      'the last line that the program printed',
      "console.error('Copying\\nThe disk is full.'); Deno.exit(1)",
      'The disk is full.',
    ],
    ['the exit code if the program printed nothing', 'Deno.exit(70)', 'exit code 70'],
    [
      'the signal that killed the program',
      "console.error('Backing up 25 %'); Deno.kill(Deno.pid, 'SIGKILL')",
      'terminated by SIGKILL',
    ],
  ])('reports %s as the reason for a failure', async (_, program, reason) => {
    const folder = join(dataDir, 'stack', 'backup')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'main.ts'), program)
    const script = `
      import { startBackupSchedule } from ${JSON.stringify(join(root, 'stack', 'supervisor', 'backup-schedule.ts'))}
      const dataDir = ${JSON.stringify(dataDir)}
      startBackupSchedule({
        root: dataDir, dataDir, walSince: new Date(), minuteOfDay: 0, destination: { list: async () => [] },
        log: { info: () => {}, error: (_, { reason }) => { console.log(reason); Deno.exit() } },
      })`
    const { stdout } = await evalDeno(script)
    expect(stdout.trim()).toBe(reason)
  })

  it('clears the timer when the stack stops', async () => {
    expect((await runSchedule({ newestAgeMs: 0, isStopped: true })).clearedTimers).toBe(1)
  })

  it('stops a running backup and schedules no other when the stack stops', async () => {
    const { waits, events, stops } = await runSchedule({ results: [null], isStopped: true })
    expect({ waits, events, stops }).toEqual({ waits: [minuteMs], events: ['backup_started'], stops: 1 })
  })
})

describe('the backup program', () => {
  it('prints one line about an unexpected error', () => {
    mkdirSync(join(dataDir, 'postgres'))
    mkdirSync(join(dataDir, 'backup.lock'))
    const program = join(root, 'stack', 'backup', 'main.ts')
    const { status, stderr } = spawnSync(deno, ['run', '--allow-all', '--no-lock', '--quiet', program], {
      env: { ...process.env, DATA_DIR: dataDir, BACKUP_PASSPHRASE: 'correct horse battery staple' },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The backup failed: Is a directory.*\n$/)])
  })
})

describe('the progress of a backup', () => {
  it('is printed every ten seconds, with sizes and the rate', async () => {
    const script = `
      import { showProgress } from ${JSON.stringify(join(root, 'stack', 'backup', 'progress.ts'))}
      import { formatBytes } from ${JSON.stringify(join(root, 'stack', 'shared', 'format-bytes.ts'))}
      let now = 1_000_000
      Date.now = () => now
      const { update, end } = showProgress('Backing up')
      for (const seconds of [5, 10, 12, 20]) {
        now = 1_000_000 + seconds * 1000
        update(seconds * 12_500_000, 1_000_000_000)
      }
      end()
      console.log([999, 1000, 9949, 9950, 999_499, 999_500, 1.5e9].map(formatBytes).join())`
    const { stdout, stderr } = await evalDeno(script)
    expect(stderr.split('\n')).toEqual([
      'Backing up 12% (125 MB of 1.0 GB, 13 MB/s)',
      'Backing up 25% (250 MB of 1.0 GB, 13 MB/s)',
      '',
    ])
    expect(stdout.trim()).toBe('999 B,1.0 kB,9.9 kB,10 kB,999 kB,1.0 MB,1.5 GB')
  })
})
