import { ApiError } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService } from '../http/run-as.ts'
import type { Job } from './schedule.ts'

/**
 * Runs a job unless a run of it is already in progress, on this machine or another. The start and the result are
 * recorded for admins.
 *
 * @param onlyIfDue skips the run if the last one started less than the job's interval ago
 * @returns the result of `work`; null if the run was skipped
 * @throws any error that `work` throws
 */
export async function runJob<Result extends object>(
  { name, intervalSeconds, leaseSeconds }: Job,
  onlyIfDue: boolean,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const [begun] = await asService(
    (tx) => tx<{ run: string | null }[]>`
      select private.begin_job(${name}::text, ${intervalSeconds}::integer, ${leaseSeconds}::integer,
                               ${onlyIfDue}::boolean)::text as run`,
  )
  if (!begun?.run) return null
  const end = async (succeeded: boolean, detail: object) => {
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

/** Returns why a run failed. Omits the message of an unexpected error, because it may contain users' data. */
function failureReason(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return error instanceof Error ? error.name : 'Unknown error'
}
