import { createServer, type ServerResponse } from 'node:http'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { runJob } from './job.ts'
import type { Person } from './people.ts'
import { sql, stack } from './stack.ts'

/**
 * Runs the job that mails what was left unread, as the schedule does. It takes everybody who is due, so that one file of
 * tests alone calls it: two may run at the same time.
 */
export async function runMails(
  jobsUrl = stack.jobsUrl,
): Promise<{ on: boolean; sent: number; failed: number }> {
  const { status, body } = await runJob('mails', jobsUrl)
  if (status !== 200) throw new Error(`The job answered ${status}`)
  return body as { on: boolean; sent: number; failed: number }
}

/** Lets everything that somebody was told, and when they were written to, be so much longer ago. */
export async function letWait(person: Person, long: string): Promise<void> {
  await sql`update public.notifications set created_at = created_at - ${long}::interval where user_id = ${person.id}`
  await sql`update public.conversation_members
            set last_message_at = last_message_at - ${long}::interval, unread_since = unread_since - ${long}::interval
            where user_id = ${person.id}`
  await sql`update private.mail_marks
            set mailed_at = mailed_at - ${long}::interval, mailed_until = mailed_until - ${long}::interval
            where user_id = ${person.id}`
}

/** What mails are handed over to (`MAIL_URL`), and to whom they were; it answers none until it is told to go on. */
export async function startTaker(): Promise<{ url: string; taken: string[]; goOn(): void; stop(): void }> {
  const taken: string[] = []
  let waiting: ServerResponse[] | null = []
  const server = createServer(async (request, response) => {
    const body = await request.setEncoding('utf8').reduce((all: string, part: string) => all + part, '')
    taken.push((JSON.parse(body) as { to: string }).to)
    if (waiting) waiting.push(response)
    else response.end()
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    goOn() {
      for (const response of waiting ?? []) response.end()
      waiting = null
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
