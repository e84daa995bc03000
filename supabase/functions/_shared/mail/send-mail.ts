import { env } from '../env.ts'
import { validateMail } from './validate-mail.ts'

/** An email to one address, as HTML and as plain text. */
export interface Mail {
  to: string
  /** One line of at most 200 characters. */
  subject: string
  text: string
  html: string
  /** `List-Unsubscribe` and `List-Unsubscribe-Post`, for an email about notifications. */
  headers?: Record<string, string>
}

const timeoutMs = 15_000

/** Whether a mail server is configured. */
export const isMailEnabled = env.mail.url !== undefined || env.mail.smtpUrl !== undefined

/** Created when the first email is sent. */
let sendBySmtp: ((mail: Mail) => Promise<void>) | undefined

/**
 * Sends an email through the server at `MAIL_URL` or, if that is not set, through the SMTP server. Resolves once that
 * server has accepted the email.
 *
 * @throws Error if the email is invalid or not accepted, or mail is disabled
 */
export async function sendMail(mail: Mail): Promise<void> {
  const problem = validateMail(mail)
  if (problem !== null) throw new Error(problem)
  if (env.mail.url !== undefined) return await sendByHttp(mail, env.mail.url)
  if (env.mail.smtpUrl === undefined)
    throw new Error('Mail is disabled: neither MAIL_URL nor SMTP_URL is set')
  // Imported only when used, because nodemailer is large.
  const { createSmtpSender } = await import('./smtp.ts')
  sendBySmtp ??= createSmtpSender(env.mail.smtpUrl, env)
  await sendBySmtp(mail)
}

async function sendByHttp(mail: Mail, url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(mail),
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The server at MAIL_URL responded with ${response.status}`)
}
