import { env } from '../env.ts'
import { writeMail } from '../mail/look.ts'
import { mailIsOn, sendMail } from '../mail/port.ts'

/**
 * Tells an address that an admin made it an account's. Its owner did not ask for it, so the mail says what to do where
 * it is a mistake.
 */
export async function tellOfGivenAddress(to: string): Promise<void> {
  if (!mailIsOn) return
  await sendMail(
    writeMail(to, {
      subject: `This is now the address of your ${env.appName} account`,
      heading: 'Your email address was changed',
      lines: [
        { text: `The people who run ${env.appName} made this the address of your account.` },
        { text: 'From now on you sign in with it, and mails about your account come here.' },
      ],
      button: { text: `Open ${env.appName}`, href: '/' },
      notes: [
        {
          text: 'If you have no account there, or did not want this, write to the people who run this site.',
        },
      ],
    }),
  )
}
