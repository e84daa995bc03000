import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { stack } from './stack.ts'

/** A mail as the mailbox answers it. */
export type Mail = { id: string; to: string; subject: string; text: string; html: string; sentAt: string }

/** Milliseconds that a mail may take. */
const patience = 10_000

const wait = () => new Promise((resolve) => setTimeout(resolve, 25))

/** Every mail that one address got, newest first. */
export async function mailsTo(email: string): Promise<Mail[]> {
  const response = await fetch(stack.mailUrl)
  return ((await response.json()) as Mail[]).filter(({ to }) => to === email)
}

/** The newest mail of one address, once it has `count` of them; with `subject`, of those alone. */
export async function mailTo(email: string, count = 1, subject?: string): Promise<Mail> {
  const deadline = Date.now() + patience
  for (;;) {
    const mails = (await mailsTo(email)).filter((mail) => subject === undefined || mail.subject === subject)
    if (mails[0] && mails.length >= count) return mails[0]
    if (Date.now() > deadline) throw new Error(`${email} got ${mails.length} mails, not ${count}.`)
    await wait()
  }
}

/** The token of a reset mail's link, which must lead to the address that people use. */
export function resetToken(mail: Mail): string {
  const start = `${stack.apiUrl}/reset-password?token=`
  const link = mail.text.split(/\s+/).find((word) => word.startsWith(start))
  if (!link) throw new Error(`There is no link in: ${mail.text}`)
  return link.slice(start.length)
}

/** Hands a mail to the mailbox's port, as a function would. */
export async function postMail(mail: Record<string, unknown>, url = stack.mailUrl): Promise<number> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(mail) })
  await response.body?.cancel()
  return response.status
}

/** An SMTP server that takes every mail, and everything that it was told, line by line. */
export type SmtpServer = { url: string; told: string[]; stop(): void }

export async function startSmtp(): Promise<SmtpServer> {
  const told: string[] = []
  const sockets = new Set<Socket>()
  const smtp = createServer((socket) => {
    sockets.add(socket)
    converse(socket, told)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    smtp.close()
  }
  return { url: `smtp://127.0.0.1:${port}`, told, stop }
}

/** A mailbox of its own that sends by SMTP, and everything that its SMTP server was told. */
export type SmtpMailbox = SmtpServer

/** Starts a mailbox in a process of its own, and an SMTP server for it. */
export async function startSmtpMailbox(): Promise<SmtpMailbox> {
  const [smtp, port] = await Promise.all([startSmtp(), freePort()])
  const folder = mkdtempSync(join(tmpdir(), 'ovation-mailbox-'))
  const child = runMailbox({
    port,
    secret: 'secret',
    folder,
    smtpUrl: smtp.url,
    publicUrl: 'https://ovation.example',
    appName: 'Ovation',
  })
  const url = `http://127.0.0.1:${port}/secret/`
  const stop = () => {
    child.kill()
    smtp.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + patience
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) {
      stop()
      throw new Error('The mailbox did not start.')
    }
    await wait()
  }
  return { url, told: smtp.told, stop }
}

function runMailbox(options: Record<string, unknown>): ChildProcess {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const script = `
    import { startMailbox } from './stack/mailbox/server.ts'
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    await startMailbox(${JSON.stringify(options)}, log)`
  return spawn(join(root, 'node_modules', 'deno', 'deno'), ['eval', '--no-lock', script], {
    cwd: root,
    stdio: 'ignore',
  })
}

/** The server's side of SMTP, as far as a mail without a password needs it. */
function converse(socket: Socket, told: string[]) {
  let rest = ''
  let inMail = false
  const answer = (line: string) => {
    if (inMail) {
      inMail = line !== '.'
      return inMail ? '' : '250 taken\r\n'
    }
    const command = line.slice(0, 4).toUpperCase()
    inMail = command === 'DATA'
    return command === 'DATA' ? '354 go on\r\n' : command === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n'
  }
  socket.on('error', () => undefined)
  socket.write('220 ready\r\n')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    told.push(...lines)
    for (const line of lines) socket.write(answer(line))
  })
}
