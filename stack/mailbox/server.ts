import { SmtpEmailDriver } from '@supabase/lite'
import { whyNotMailed } from '../../supabase/functions/_shared/mail/rule.ts'
import { badRequest, failed, forbidden, notFound, problem } from '../shared/answers.ts'
import type { Log } from '../shared/log.ts'
import { namesLoopback, sameSecret } from '../shared/loopback.ts'
import { messageOf } from '../shared/sentence.ts'
import { type Mail, readMail } from './mail.ts'
import { mailboxPage, pagePolicy } from './page.ts'
import { MailStore } from './store.ts'

export interface MailboxOptions {
  port: number
  /** The first part of every address here; without it there is nothing to see. */
  secret: string
  folder: string
  smtpUrl: string | null
  publicUrl: string
  appName: string
}

export interface Mailbox {
  /**
   * Hands a mail over: resolves when it is stored, or taken by the SMTP server.
   *
   * @throws Error for a mail that must not leave, and when it was not taken
   */
  deliver(mail: Mail): Promise<void>
  stop(): Promise<void>
}

/**
 * The one way for mail to leave, on its own loopback port:
 * - `GET /<secret>/` answers the stored mails, newest first: JSON, or a page for a browser;
 * - `POST /<secret>/` takes a mail `{to, subject, text, html}` and answers 202 once it is safe with somebody,
 *   400 for one that would be more than one mail to one address.
 */
export async function startMailbox(options: MailboxOptions, log: Log): Promise<Mailbox> {
  const store = await MailStore.open(options.folder)
  const smtp = options.smtpUrl === null ? null : smtpDriver(options.smtpUrl, options)

  const deliver = async (mail: Mail): Promise<void> => {
    const refused = whyNotMailed(mail)
    if (refused !== null) throw new Error(refused)
    if (smtp) await smtp.send(mail)
    else await store.add(mail)
  }

  const answer = async (request: Request): Promise<Response> => {
    if (!namesLoopback(request)) return forbidden()
    const { pathname } = new URL(request.url)
    if (!sameSecret(pathname.replace(/^\/|\/$/g, ''), options.secret)) return notFound()
    if (request.method === 'POST') return await take(request)
    if (request.method !== 'GET') return notFound()
    if (!request.headers.get('accept')?.includes('text/html')) return Response.json(store.list())
    return new Response(mailboxPage(store.list(), options.appName, smtp !== null), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': pagePolicy,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      },
    })
  }

  const take = async (request: Request): Promise<Response> => {
    const mail = readMail(await request.json().catch(() => null))
    if (!mail) return badRequest('A mail needs the texts to, subject, text and html.')
    const refused = whyNotMailed(mail)
    if (refused !== null) return badRequest(refused)
    try {
      await deliver(mail)
      return new Response(null, { status: 202 })
    } catch (error) {
      log.error('mail was not taken', { reason: messageOf(error) })
      return problem(502, 'unavailable', 'The mail could not be sent')
    }
  }

  const server = Deno.serve(
    {
      hostname: '127.0.0.1',
      port: options.port,
      onListen: () => undefined,
      onError: (error) => {
        log.error('mailbox failed', { reason: messageOf(error) })
        return failed()
      },
    },
    answer,
  )
  return { deliver, stop: () => server.shutdown() }
}

/** The sender is `?from=` of SMTP_URL, else no-reply at the host that people use. */
function smtpDriver(smtpUrl: string, options: MailboxOptions): SmtpEmailDriver {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  return new SmtpEmailDriver({
    host: url.hostname,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    user: url.username ? decodeURIComponent(url.username) : undefined,
    pass: url.password ? decodeURIComponent(url.password) : undefined,
    from: {
      name: options.appName,
      address: url.searchParams.get('from') ?? `no-reply@${new URL(options.publicUrl).hostname}`,
    },
  })
}
