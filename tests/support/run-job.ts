import { setTimeout as sleep } from 'node:timers/promises'
import { readConnection } from './connection.ts'

/** Returns whether the response says that another run of the job is in progress. */
const isSkipped = (body: unknown) =>
  typeof body === 'object' && body !== null && 'skipped' in body && body.skipped === true

/**
 * Runs a job regardless of its schedule and of earlier failures. If another test or the scheduler is already running
 * the job, retries for about 10 seconds.
 *
 * @param jobsUrl the URL of the `jobs` function; the shared stack's URL by default
 * @param jobSecret the job secret of the same stack
 */
export async function runJob(
  name: string,
  jobsUrl = readConnection().jobsUrl,
  jobSecret = readConnection().jobSecret,
): Promise<{ status: number; body: unknown }> {
  const headers = { Authorization: `Bearer ${jobSecret}` }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${jobsUrl}/${name}`, { method: 'POST', headers })
    const body: unknown = await response.json()
    if (!isSkipped(body)) return { status: response.status, body }
    if (attempt === 101) throw new Error(`The job ${name} is still running.`)
    await sleep(100)
  }
}
