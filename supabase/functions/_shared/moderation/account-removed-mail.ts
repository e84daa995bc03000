import { env } from '../env.ts'
import { runInBackground } from '../http/background.ts'
import { isMailEnabled, sendMail } from '../mail/send-mail.ts'
import { renderMail } from '../mail/template.ts'

/**
 * Emails a user, in the background, to say that moderators removed their account. Does nothing if mail is disabled.
 * Ignores their notification settings, because email is the only way left to reach them.
 *
 * @param to the removed account's email address
 * @param reason null if the admin gave none
 */
export function sendAccountRemovedMail(to: string, reason: string | null): void {
  if (isMailEnabled) runInBackground(sendMail(accountRemovedMail(to, reason)), 'account_removed_mail_failed')
}

const accountRemovedMail = (to: string, reason: string | null) =>
  renderMail(to, {
    subject: 'Your account was removed',
    heading: 'Your account was removed',
    lines: [
      { text: `Our moderators removed your ${env.appName} account and everything in it.` },
      ...(reason === null ? [] : [{ text: `Reason: ${reason}` }]),
    ],
    button: { text: `Open ${env.appName}`, href: '/' },
    notes: [{ text: 'Think this was a mistake? Reply to this email.' }],
  })
