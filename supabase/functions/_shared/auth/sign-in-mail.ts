import { asService } from '../db/run.ts'
import { env } from '../env.ts'
import { writeMail } from '../mail/look.ts'
import { mailIsOn, sendMail } from '../mail/port.ts'

/** A sign-in as its person is told of it: `device` in words that are ours, `address` of the network. */
export interface SignIn {
  device: string
  address: string
  at: Date
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/**
 * Writes at once to somebody who wants mails and login alerts that their account was signed in to from a new device.
 *
 * @throws Error when the mail did not leave
 */
export async function tellOfSignIn(userId: string, { device, address, at }: SignIn): Promise<void> {
  if (!mailIsOn) return
  const [account] = await asService(
    'an address is read for somebody who may not be the one who signed in',
    (tx) => tx<{ email: string }[]>`
      select a.email from public.accounts a join public.person_settings s on s.user_id = a.user_id
      where a.user_id = ${userId}::text::uuid and s.email_notifications and s.login_alerts`,
  )
  if (!account) return
  await sendMail(
    writeMail(account.email, {
      subject: `New sign-in to ${env.appName}`,
      heading: 'New sign-in',
      lines: [
        { text: `Your ${env.appName} account was signed in to from a device that it did not know.` },
        { text: `Device: ${device}` },
        { text: `Time: ${time.format(at)} UTC` },
        { text: `Address: ${address}` },
        { text: 'If it was you, there is nothing to do.' },
        {
          text: 'If it was not, open Settings → Security: log out what you do not know, then set a new password.',
        },
      ],
      button: { text: 'Open Settings → Security', href: '/settings?tab=security' },
      notes: [{ text: 'Login alerts are switched on and off there, too.' }],
    }),
  )
}
