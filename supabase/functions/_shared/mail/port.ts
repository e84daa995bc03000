import { env } from '../env.ts'
import { whyNotMailed } from './rule.ts'

/** A mail to one address: its page, and the same as plain text. */
export interface Mail {
  to: string
  /** One line, 200 characters at most. */
  subject: string
  text: string
  html: string
  /** The path where people switch off mails like this one; without it they cannot. */
  switchOff?: string
}

/** Milliseconds that whoever takes a mail may take for it. */
const patience = 15_000

/** Whether mail can leave at all. */
export const mailIsOn = env.mail.url !== undefined || env.mail.smtpUrl !== undefined

/**
 * Sends a mail: resolves once it is safe with somebody who passes it on. It is handed over to `MAIL_URL` where there
 * is one, which sends by SMTP itself if it is to, else sent by SMTP from here.
 *
 * @throws Error for a mail that must not leave, when it was not taken, and when mail is off
 */
export async function sendMail(mail: Mail): Promise<void> {
  const refused = whyNotMailed(mail)
  if (refused !== null) throw new Error(refused)
  if (env.mail.url !== undefined) return await handOver(mail, env.mail.url)
  if (env.mail.smtpUrl === undefined) throw new Error('Mail is off: neither MAIL_URL nor SMTP_URL is set')
  // Read only where it is used: it is large.
  const { sendBySmtp } = await import('./smtp.ts')
  await sendBySmtp(mail, env.mail.smtpUrl)
}

async function handOver(mail: Mail, url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(mail),
    signal: AbortSignal.timeout(patience),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The mail was not taken: ${response.status}`)
}
