import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { startDeno } from './deno-program.ts'
import { listen } from './listen.ts'
import { runJob } from './run-job.ts'
import { sql, stack } from './stack.ts'
import type { TestUser } from './users.ts'

/** An email as the mailbox returns it. */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  sentAt: string
}

const timeoutMs = 10_000
const pollMs = 25

/** Returns the emails to an address, newest first. */
export async function fetchMails(email: string): Promise<Mail[]> {
  const response = await fetch(stack.mailUrl)
  return ((await response.json()) as Mail[]).filter(({ to }) => to === email)
}

/**
 * Waits until an address has received `count` emails, and returns the newest. If `subject` is given, only emails with
 * that subject count.
 */
export async function waitForMail(email: string, count = 1, subject?: string): Promise<Mail> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const emails = (await fetchMails(email)).filter(
      (mail) => subject === undefined || mail.subject === subject,
    )
    if (emails[0] && emails.length >= count) return emails[0]
    if (Date.now() > deadline)
      throw new Error(`${email} received ${emails.length} emails instead of ${count}.`)
    await sleep(pollMs)
  }
}

/** Returns the token from the link in a password reset email. The link must use the stack's public URL. */
export function readResetToken(mail: Mail): string {
  const prefix = `${stack.apiUrl}/reset-password?token=`
  const link = mail.text.split(/\s+/).find((word) => word.startsWith(prefix))
  if (!link) throw new Error(`The email contains no reset link: ${mail.text}`)
  return link.slice(prefix.length)
}

/** Posts an email to the mailbox, as the API does, and returns the HTTP status. */
export async function postMail(mail: Record<string, unknown>, url = stack.mailUrl): Promise<number> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(mail) })
  await response.body?.cancel()
  return response.status
}

/** An SMTP server that accepts every email. `transcript` contains the lines that the server received. */
export type SmtpServer = { url: string; transcript: string[]; stop(): void }

export async function startSmtpServer(): Promise<SmtpServer> {
  const transcript: string[] = []
  const { port, stop } = await listen(createServer((socket) => serveSmtp(socket, transcript)))
  return { url: `smtp://127.0.0.1:${port}`, transcript, stop }
}

/** Starts a mailbox process that sends emails by SMTP. Returns the mailbox's URL and its SMTP server's transcript. */
export async function startSmtpMailbox(): Promise<SmtpServer> {
  const [smtp, port] = await Promise.all([startSmtpServer(), freePort()])
  const folder = mkdtempSync(join(tmpdir(), 'ovation-mailbox-'))
  const options = {
    port,
    secret: 'secret',
    folder,
    smtpUrl: smtp.url,
    publicUrl: 'https://ovation.example',
    appName: 'Ovation',
  }
  const { child } = await startDeno(`
    import { startMailbox } from './stack/mailbox/server.ts'
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    await startMailbox(${JSON.stringify(options)}, log)
    console.log('ready')`)
  const stop = () => {
    child.kill()
    smtp.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `http://127.0.0.1:${port}/secret/`, transcript: smtp.transcript, stop }
}

/** Serves SMTP on a socket, without authentication. */
function serveSmtp(socket: Socket, transcript: string[]) {
  let rest = ''
  let inMail = false
  const replyTo = (line: string) => {
    if (inMail) {
      inMail = line !== '.'
      return inMail ? '' : '250 OK\r\n'
    }
    const command = line.slice(0, 4).toUpperCase()
    inMail = command === 'DATA'
    return command === 'DATA' ? '354 Start mail input\r\n' : command === 'QUIT' ? '221 Bye\r\n' : '250 OK\r\n'
  }
  socket.on('error', () => undefined)
  socket.write('220 Ready\r\n')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    transcript.push(...lines)
    for (const line of lines) socket.write(replyTo(line))
  })
}

/**
 * Runs the job that emails users about unread notifications and messages. Only one test file may call this function,
 * because the job also emails the users of other test files that run at the same time.
 */
export async function runMailsJob(
  jobsUrl = stack.jobsUrl,
): Promise<{ on: boolean; sent: number; failed: number }> {
  const { status, body } = await runJob('mails', jobsUrl)
  if (status !== 200) throw new Error(`The mails job returned ${status}.`)
  return body as { on: boolean; sent: number; failed: number }
}

/** Backdates a user's notifications, conversations and last emails by an interval. */
export async function backdateUnread(user: TestUser, interval: string): Promise<void> {
  await sql`update public.notifications set created_at = created_at - ${interval}::interval where user_id = ${user.id}`
  await sql`update public.conversation_members
            set last_message_at = last_message_at - ${interval}::interval, unread_since = unread_since - ${interval}::interval
            where user_id = ${user.id}`
  await sql`update private.notification_mails
            set mailed_at = mailed_at - ${interval}::interval, mailed_until = mailed_until - ${interval}::interval
            where user_id = ${user.id}`
}

/** Starts a server for `MAIL_URL` that records the recipients. It responds to no request until `respond` is called. */
export async function startMailReceiver(): Promise<{
  url: string
  recipients: string[]
  respond(): void
  stop(): void
}> {
  const recipients: string[] = []
  let pending: ServerResponse[] | null = []
  const server = createHttpServer(async (request, response) => {
    const body = await request.setEncoding('utf8').reduce((all: string, part: string) => all + part, '')
    recipients.push((JSON.parse(body) as { to: string }).to)
    if (pending) pending.push(response)
    else response.end()
  })
  const { url, stop } = await listen(server)
  return {
    url,
    recipients,
    respond() {
      for (const response of pending ?? []) response.end()
      pending = null
    },
    stop,
  }
}
