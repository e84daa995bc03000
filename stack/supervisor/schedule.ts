import { jobs } from '../../supabase/functions/_shared/jobs/list.ts'

/** Milliseconds after the start until what was missed is made up for: the first visitors come first. */
const settling = 3000

/** Where failures are told. */
type Warning = { warn(message: string, fields: Record<string, unknown>): void }

/**
 * Calls the jobs by the clock. A job that is still running when its time comes again is left to finish, and
 * that turn is skipped. Failures are logged; the next turn comes all the same.
 *
 * A timer is enough. It measures time that passed and does not read the clock, so a clock that is set forward or back
 * moves no turn. Ticks that a busy or sleeping machine missed do not pile up: the next one comes within one interval,
 * and every job takes all that is due by then, whenever it was due. What a stack that was switched off missed is made up
 * for soon after its start, by every job whose last turn, as the database knows it, is longer ago than its interval. Two
 * turns of a job never run beside each other, whoever calls them: the job itself sees to that.
 *
 * @param address where the function `jobs` answers, without a slash at the end
 * @returns stops the clock
 */
export function startSchedule(address: string, jobSecret: string, log: Warning): () => void {
  let stopped = false
  const running = new Set<string>()

  /** One turn; with `onlyIfDue` where the last one is long enough ago. */
  const call = async (name: string, seconds: number, onlyIfDue: boolean): Promise<void> => {
    if (running.has(name)) return
    running.add(name)
    try {
      const answer = await fetch(`${address}/${name}${onlyIfDue ? '?due=1' : ''}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${jobSecret}` },
        signal: AbortSignal.timeout(seconds * 1000),
      })
      await answer.body?.cancel()
      if (!answer.ok) log.warn('a job failed', { name, status: answer.status })
    } catch (error) {
      if (!stopped) log.warn('a job failed', { name, reason: String(error) })
    } finally {
      running.delete(name)
    }
  }

  const makeUp = async (): Promise<void> => {
    for (const { name, seconds } of jobs) {
      if (stopped) return
      await call(name, seconds, true)
    }
  }

  const first = setTimeout(() => void makeUp(), settling)
  const timers = jobs.map(({ name, seconds }) =>
    setInterval(() => void call(name, seconds, false), seconds * 1000),
  )
  return () => {
    stopped = true
    clearTimeout(first)
    for (const timer of timers) clearInterval(timer)
  }
}
