import { limits } from '../contract/limits.ts'
import { env } from '../env.ts'
import { inBackground } from '../http/background.ts'
import { writeMail } from '../mail/look.ts'
import { mailIsOn, sendMail } from '../mail/port.ts'

/** What happened to a payout method: `changed` is where the money goes, `edited` its name, or whether it is the default. */
export type MethodChange = 'added' | 'changed' | 'edited' | 'removed'

/**
 * Writes to somebody whose payout method was added, changed or removed, behind the answer: it may not have been them.
 * Every such mail leaves, whatever mails they want.
 *
 * @param shown its name and its masked details
 */
export function tellOfMethod(to: string, change: MethodChange, shown: string): void {
  if (mailIsOn) inBackground(sendMail(methodMail(to, change, shown)), 'payout_method_mail_failed')
}

function methodMail(to: string, change: MethodChange, shown: string) {
  const done = change === 'edited' ? 'changed' : change
  const waits = change === 'added' || change === 'changed'
  return writeMail(to, {
    subject: `A payout method was ${done}`,
    heading: `A payout method was ${done}`,
    lines: [
      { text: `On your ${env.appName} account a payout method was ${done}: ${shown}.` },
      ...(waits ? [{ text: `No money goes there in the next ${limits.payoutWaitDays} days.` }] : []),
      { text: 'If it was you, there is nothing to do.' },
    ],
    button: { text: 'Open your payouts', href: '/earnings?tab=payouts' },
    notes: [
      {
        text: 'If it was not you, somebody else is signed in to your account. Remove what you do not know and set a new password now: that signs them out.',
      },
      { text: 'Set a new password', href: '/forgot-password' },
    ],
  })
}
