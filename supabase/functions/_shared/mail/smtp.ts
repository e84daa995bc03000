import { createTransport } from 'nodemailer'
import type { Mail } from './send-mail.ts'

/** Describes the part of nodemailer that is used here. The package has no type declarations. */
interface Transport {
  sendMail(mail: Record<string, unknown>): Promise<unknown>
}

/**
 * Returns a function that sends emails through the server in `smtpUrl`, which looks like
 * `smtps://user:password@host:465?from=address`. The sender is `from` or, by default, `no-reply` at the host of
 * `publicUrl`. A password is sent only over TLS. The function throws an error if the server does not accept the email.
 */
export function createSmtpSender(
  smtpUrl: string,
  { appName, publicUrl }: { appName: string; publicUrl: string },
): (mail: Mail) => Promise<void> {
  const url = new URL(smtpUrl)
  const transport = createSmtpTransport(url)
  const address = url.searchParams.get('from') ?? `no-reply@${new URL(publicUrl).hostname}`
  return async ({ to, subject, text, html, headers }) => {
    await transport.sendMail({ from: { name: appName, address }, to, subject, text, html, headers })
  }
}

function createSmtpTransport(url: URL): Transport {
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
