import { env } from '../env.ts'
import { inBackground } from '../http/background.ts'
import { writeMail } from '../mail/look.ts'
import { mailIsOn, sendMail } from '../mail/port.ts'

/**
 * Writes to somebody whose account the moderators removed, behind the answer: nothing but a mail reaches them any more.
 * It leaves whatever mails they wanted.
 *
 * @param to the address that the account had
 * @param reason what they are told; null where nothing was said
 */
export function tellRemoved(to: string, reason: string | null): void {
  if (mailIsOn) inBackground(sendMail(removedMail(to, reason)), 'removed_mail_failed')
}

const removedMail = (to: string, reason: string | null) =>
  writeMail(to, {
    subject: 'Your account was removed',
    heading: 'Your account was removed',
    lines: [
      { text: `The people who run ${env.appName} removed your account, with all that was in it.` },
      ...(reason === null ? [] : [{ text: `Why: ${reason}` }]),
    ],
    button: { text: `Open ${env.appName}`, href: '/' },
    notes: [{ text: 'If you think that this was a mistake, answer to the people who run this site.' }],
  })
