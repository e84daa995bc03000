import { equalsInConstantTime } from '../../supabase/functions/_shared/http/constant-time.ts'
import { createSmtpSender } from '../../supabase/functions/_shared/mail/smtp.ts'
import { validateMail } from '../../supabase/functions/_shared/mail/validate-mail.ts'
import { badRequest, errorResponse, forbidden, notFound } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { hasLoopbackHost } from '../shared/loopback.ts'
import { startLoopbackServer } from '../shared/loopback-server.ts'
import { type Mail, parseMail } from './mail.ts'
import { pagePolicy, renderMailbox } from './page.ts'
import { MailStore } from './store.ts'

export interface MailboxOptions {
  port: number
  /** The only path of the mailbox; requests for other paths get a 404. */
  secret: string
  folder: string
  smtpUrl: string | null
  publicUrl: string
  appName: string
}

export interface Mailbox {
  /**
   * Delivers an email. Resolves when the email is stored, or accepted by the SMTP server.
   *
   * @throws Error if the email is invalid, or cannot be stored or sent
   */
  deliver(mail: Mail): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the mail server, through which all mail is sent, on its own loopback port:
 * - `GET /<secret>/` returns the stored emails, newest first, as JSON or, to a browser, as a page.
 * - `POST /<secret>/` accepts an email `{to, subject, text, html, headers?}`. Returns 202 once the email is stored or
 *   accepted by the SMTP server, 400 for an invalid email (for example one with several recipients or a multi-line
 *   subject), and 502 if the email could not be stored or sent.
 */
export async function startMailbox(options: MailboxOptions, log: Log): Promise<Mailbox> {
  const store = await MailStore.open(options.folder)
  const sendBySmtp = options.smtpUrl === null ? null : createSmtpSender(options.smtpUrl, options)

  const deliver = async (mail: Mail): Promise<void> => {
    const invalidReason = validateMail(mail)
    if (invalidReason !== null) throw new Error(invalidReason)
    if (sendBySmtp) await sendBySmtp(mail)
    else await store.add(mail)
  }

  const respond = async (request: Request): Promise<Response> => {
    if (!hasLoopbackHost(request)) return forbidden()
    const { pathname } = new URL(request.url)
    if (!equalsInConstantTime(pathname.replace(/^\/|\/$/g, ''), options.secret)) return notFound()
    if (request.method === 'POST') return await receive(request)
    if (request.method !== 'GET') return notFound()
    if (!request.headers.get('accept')?.includes('text/html')) return Response.json(store.list())
    return new Response(renderMailbox(store.list(), options.appName, sendBySmtp !== null), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': pagePolicy,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      },
    })
  }

  const receive = async (request: Request): Promise<Response> => {
    const mail = parseMail(await request.json().catch(() => null))
    if (!mail) return badRequest('An email requires the string fields `to`, `subject`, `text` and `html`.')
    const invalidReason = validateMail(mail)
    if (invalidReason !== null) return badRequest(invalidReason)
    try {
      await deliver(mail)
      return new Response(null, { status: 202 })
    } catch (error) {
      log.error('mail_failed', { reason: errorMessage(error) })
      return errorResponse(502, 'unavailable', "Couldn't send the email. Please try again.")
    }
  }

  const server = startLoopbackServer(options.port, log, respond, 'mailbox_request_failed')
  return { deliver, stop: () => server.stop(2000) }
}
