import { createTransport } from 'nodemailer'
import { env } from '../env.ts'
import type { Mail } from './send-mail.ts'

/** The type of the part of nodemailer that is used here. The package includes no types. */
interface Transport {
  sendMail(mail: Record<string, unknown>): Promise<unknown>
}

let transport: Transport | undefined

/**
 * Sends an email through the server in `smtpUrl`, which looks like `smtps://user:password@host:465?from=address`. The
 * sender is `from`, or by default no-reply at the host of `PUBLIC_URL`. A password is sent over TLS only.
 *
 * @throws Error if the server does not accept the email
 */
export async function sendBySmtp({ unsubscribePath, ...mail }: Mail, smtpUrl: string): Promise<void> {
  const url = new URL(smtpUrl)
  transport ??= connect(url)
  const address = url.searchParams.get('from') ?? `no-reply@${new URL(env.publicUrl).hostname}`
  await transport.sendMail({
    ...mail,
    from: { name: env.appName, address },
    // Mail programs show this as an unsubscribe button.
    ...(unsubscribePath && { headers: { 'List-Unsubscribe': `<${env.publicUrl}${unsubscribePath}>` } }),
  })
}

function connect(url: URL): Transport {
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return createTransport({
    host: url.hostname,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && user !== '',
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
  })
}
