import type { Log } from '../shared/log.ts'
import { messageOf } from '../shared/sentence.ts'

/** Jobs of the function `jobs` and how often they run, in milliseconds. */
const jobs: Record<string, number> = {
  'clean-up': 10 * 60_000,
  trending: 10 * 60_000,
  media: 10 * 60_000,
  mails: 5 * 60_000,
  renewals: 10 * 60_000,
  payments: 5 * 60_000,
  'roll-up': 5 * 60_000,
  payouts: 10 * 60_000,
}

/**
 * Calls the jobs by the clock. A job that is still running when its time comes again is left to finish, and
 * that turn is skipped. Failures are logged; the next turn comes all the same.
 *
 * @param address where the function `jobs` answers, without a slash at the end
 * @returns stops the clock
 */
export function startSchedule(address: string, jobSecret: string, log: Log): () => void {
  const timers = Object.entries(jobs).map(([name, every]) => {
    let running = false
    const tick = async (): Promise<void> => {
      if (running) return
      running = true
      try {
        const answer = await fetch(`${address}/${name}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${jobSecret}` },
          signal: AbortSignal.timeout(every),
        })
        await answer.body?.cancel()
        if (!answer.ok) log.warn('a job failed', { name, status: answer.status })
      } catch (error) {
        log.warn('a job failed', { name, reason: messageOf(error) })
      } finally {
        running = false
      }
    }
    return setInterval(() => void tick(), every)
  })
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
