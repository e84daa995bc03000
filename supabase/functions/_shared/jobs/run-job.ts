import { ApiError } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService } from '../http/run-as.ts'
import type { Job } from './schedule.ts'

/** A run that has not renewed its lease for this long is considered failed, and another may start. */
const leaseSeconds = 30
/** How often a run renews its lease. A few renewals can fail before it expires, for example during a restart. */
const renewalMs = 5_000
/** How long a run can keep renewing its lease. The limit lets the lease of a hung run expire. */
const maxRenewingMs = 3_600_000

/**
 * Runs a job unless it is already running, on this machine or another. The start and the result are recorded for
 * admins.
 *
 * @param when `now` ignores the schedule; `scheduled` skips the run if the delay after repeated failures has not
 *   passed; `due` also skips it if the last run started less than the job's interval ago
 * @returns the result of `work`; null if the run was skipped
 * @throws any error that `work` throws
 */
export async function runJob<Result extends object>(
  { name, intervalSeconds }: Job,
  when: 'now' | 'scheduled' | 'due',
  work: () => Promise<Result>,
): Promise<Result | null> {
  const [begun] = await asService(
    (tx) => tx<{ run: string | null }[]>`
      select private.begin_job(${name}::text, ${intervalSeconds}::integer, ${leaseSeconds}::integer,
                               ${when === 'due'}::boolean, ${when !== 'now'}::boolean)::text as run`,
  )
  if (!begun?.run) return null
  const stopRenewing = keepLease(name, begun.run)
  const end = async (succeeded: boolean, detail: object) => {
    stopRenewing()
    await asService(
      (tx) => tx`
        select private.end_job(${name}::text, ${begun.run}::text::uuid, ${succeeded}::boolean,
                               ${JSON.stringify(detail)}::text::json)`,
    ).catch(() => log('warn', 'job_result_not_saved', { job: name }))
  }
  try {
    const result = await work()
    await end(true, result)
    return result
  } catch (error) {
    await end(false, { reason: failureReason(error) })
    throw error
  }
}

/** Renews the lease of a run regularly. Returns a function that stops the renewals. */
function keepLease(name: string, run: string): () => void {
  const startedAt = performance.now()
  let stopped = false
  const stop = () => {
    stopped = true
    clearInterval(timer)
  }
  const renew = async () => {
    if (performance.now() - startedAt > maxRenewingMs) return stop()
    try {
      const [row] = await asService(
        (tx) => tx<{ renewed: boolean }[]>`
          select private.renew_job(${name}::text, ${run}::text::uuid, ${leaseSeconds}::integer) as renewed`,
      )
      if (stopped || row?.renewed) return
      // Another run has started. That is safe, because each job locks or claims the rows that it works on.
      log('warn', 'job_lease_lost', { job: name })
      stop()
    } catch {
      log('warn', 'job_lease_not_renewed', { job: name })
    }
  }
  const timer = setInterval(() => void renew(), renewalMs)
  return stop
}

/** Returns why a run failed. Omits the message of an unexpected error, because it may contain users' data. */
function failureReason(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return error instanceof Error ? error.name : 'Unknown error'
}
