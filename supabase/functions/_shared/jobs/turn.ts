import { asService } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Job } from './list.ts'

const why = 'a schedule has no caller'

/**
 * Runs one turn of a job, unless another one is under way, on this machine or another. How it began, and what came of
 * it, is noted for admins.
 *
 * @param onlyIfDue not where the last turn began less than the job's usual time ago
 * @returns what the job answers; null where nothing was to be done
 * @throws whatever the job throws
 */
export async function runTurn<Answer extends object>(
  { name, seconds, lease }: Job,
  onlyIfDue: boolean,
  work: () => Promise<Answer>,
): Promise<Answer | null> {
  const [begun] = await asService(
    why,
    (tx) => tx<{ turn: string | null }[]>`
      select private.begin_job(${name}::text, ${seconds}::integer, ${lease}::integer, ${onlyIfDue}::boolean)::text
        as turn`,
  )
  if (!begun?.turn) return null
  const end = async (well: boolean, detail: object) => {
    await asService(
      why,
      (tx) => tx`
        select private.end_job(${name}::text, ${begun.turn}::text::uuid, ${well}::boolean,
                               ${JSON.stringify(detail)}::text::json)`,
    ).catch(() => log('warn', 'job_not_noted', { job: name }))
  }
  try {
    const answer = await work()
    await end(true, answer)
    return answer
  } catch (error) {
    await end(false, { reason: reasonOf(error) })
    throw error
  }
}

/** Why a turn failed, in words that repeat nobody's values. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return error instanceof Error ? error.name : 'It failed.'
}
