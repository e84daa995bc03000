import { jobs } from '../../supabase/functions/_shared/jobs/schedule.ts'

/** The delay before missed runs start, so that they do not slow down the first requests. */
const catchUpDelayMs = 3000

/** The part of `Log` that the schedule needs. */
type WarningLog = { warn(event: string, fields: Record<string, unknown>): void }

/**
 * Runs the jobs at their intervals. If a job is still running when it is due again, the new run is skipped. Failures
 * are logged and do not stop the schedule.
 *
 * The timers measure elapsed time, so clock changes do not affect the schedule. Ticks that a busy or sleeping
 * machine misses do not pile up: the next tick comes within one interval. After startup, a job runs if, according to
 * the database, its interval has passed since the start of its last run. The database prevents overlapping runs,
 * regardless of who starts them, and delays the next run of a job that keeps failing.
 *
 * @param url the base URL of the `jobs` function, without a trailing slash
 * @returns a function that stops the schedule
 */
export function startSchedule(url: string, jobSecret: string, log: WarningLog): () => void {
  let stopped = false
  const running = new Set<string>()

  /** Runs a job once; with `onlyIfDue`, only if its interval has passed since the start of its last run. */
  const run = async (name: string, timeoutSeconds: number, onlyIfDue: boolean): Promise<void> => {
    if (running.has(name)) return
    running.add(name)
    try {
      const response = await fetch(`${url}/${name}?${onlyIfDue ? 'due' : 'scheduled'}=1`, {
        method: 'POST',
        headers: { authorization: `Bearer ${jobSecret}` },
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      })
      await response.body?.cancel()
      if (!response.ok) log.warn('job_failed', { name, status: response.status })
    } catch (error) {
      if (!stopped) log.warn('job_failed', { name, reason: String(error) })
    } finally {
      running.delete(name)
    }
  }

  const catchUp = async (): Promise<void> => {
    for (const { name, intervalSeconds } of jobs) {
      if (stopped) return
      await run(name, intervalSeconds, true)
    }
  }

  const catchUpTimer = setTimeout(() => void catchUp(), catchUpDelayMs)
  const timers = jobs.map(({ name, intervalSeconds }) =>
    setInterval(() => void run(name, intervalSeconds, false), intervalSeconds * 1000),
  )
  return () => {
    stopped = true
    clearTimeout(catchUpTimer)
    for (const timer of timers) clearInterval(timer)
  }
}
