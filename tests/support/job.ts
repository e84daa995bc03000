import { readConnection } from './connection.ts'

/** What a job answers while another turn of it is under way. */
const isSkipped = (body: unknown) =>
  typeof body === 'object' && body !== null && 'skipped' in body && body.skipped === true

/**
 * Runs a turn of a job, as the schedule does: once no other turn of it is under way, which another test, or the schedule,
 * may have begun.
 *
 * @param jobsUrl where the function `jobs` answers, where that is not the stack's; with `jobSecret`, of another stack
 */
export async function runJob(
  name: string,
  jobsUrl = readConnection().jobsUrl,
  jobSecret = readConnection().jobSecret,
): Promise<{ status: number; body: unknown }> {
  const headers = { Authorization: `Bearer ${jobSecret}` }
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${jobsUrl}/${name}`, { method: 'POST', headers })
    const body: unknown = await answer.json()
    if (!isSkipped(body)) return { status: answer.status, body }
    if (tries === 100) throw new Error(`The job ${name} is always under way.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
