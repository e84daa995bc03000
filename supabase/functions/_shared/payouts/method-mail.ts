import { limits } from '../contract/limits.ts'
import { env } from '../env.ts'
import { runInBackground } from '../http/background.ts'
import { isMailEnabled, sendMail } from '../mail/send-mail.ts'
import { renderMail } from '../mail/template.ts'

/** What happened to a payout method. `updated` means that the method was renamed or made the default. */
export type MethodChange = 'added' | 'details_changed' | 'updated' | 'removed'

/**
 * Notifies a user by email, in the background, of a change to their payout methods, because somebody else may have made
 * the change. The email is sent even if the user turned email notifications off.
 *
 * @param label the method's name and masked details
 */
export function sendMethodChangeNotice(to: string, change: MethodChange, label: string): void {
  if (isMailEnabled) runInBackground(sendMail(methodMail(to, change, label)), 'payout_method_mail_failed')
}

function methodMail(to: string, change: MethodChange, label: string) {
  const verb = change === 'details_changed' || change === 'updated' ? 'changed' : change
  const isOnHold = change === 'added' || change === 'details_changed'
  return renderMail(to, {
    subject: `A payout method was ${verb}`,
    heading: `A payout method was ${verb}`,
    lines: [
      { text: describeChange(change, label) },
      ...(isOnHold
        ? [
            {
              text: `For your security, we won't send payouts to it for ${limits.payoutMethodHoldDays} days.`,
            },
          ]
        : []),
      { text: "If this was you, you don't need to do anything." },
    ],
    button: { text: 'Open your payouts', href: '/earnings?tab=payouts' },
    notes: [
      {
        text: "If this wasn't you, someone else is signed in to your account. Remove any payout method you don't recognize and reset your password now: that signs them out.",
      },
      { text: 'Reset your password', href: '/forgot-password' },
    ],
  })
}

function describeChange(change: MethodChange, label: string): string {
  switch (change) {
    case 'added':
      return `A payout method was added to your ${env.appName} account: ${label}.`
    case 'removed':
      return `A payout method was removed from your ${env.appName} account: ${label}.`
    default:
      return `A payout method on your ${env.appName} account was changed: ${label}.`
  }
}
