import { asService } from '../db/run.ts'
import { env } from '../env.ts'
import { writeMail } from '../mail/look.ts'
import { mailIsOn, sendMail } from '../mail/port.ts'

/** Tells somebody by mail that their password was changed, whoever did it. */
export async function tellOfNewPassword(userId: string): Promise<void> {
  if (!mailIsOn) return
  const [account] = await asService(
    'an address is read for somebody who is signed out by now',
    (tx) => tx<{ email: string }[]>`
      select a.email from public.accounts a where a.user_id = ${userId}::text::uuid`,
  )
  if (!account) return
  await sendMail(
    writeMail(account.email, {
      subject: 'Your password was changed',
      heading: 'Your password was changed',
      lines: [
        {
          text: `The password of your ${env.appName} account was just changed, with the link of a mail that we sent to this address.`,
        },
        { text: 'You are signed out everywhere: sign in with the new password.' },
      ],
      button: { text: 'Sign in', href: '/login' },
      notes: [
        {
          text: 'If it was not you, set a new password now, and one for this mailbox too: somebody can read it.',
        },
        { text: 'Set a new password', href: '/forgot-password' },
      ],
    }),
  )
}
