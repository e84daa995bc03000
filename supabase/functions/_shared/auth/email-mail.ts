import { env } from '../env.ts'
import { writeMail } from '../mail/look.ts'
import { mailIsOn, sendMail } from '../mail/port.ts'

/**
 * Sends the link that makes an address the account's.
 *
 * @throws Error when the mail did not leave
 */
export async function askForConfirmation(to: string, token: string): Promise<void> {
  await sendMail(
    writeMail(to, {
      subject: 'Confirm your new email address',
      heading: 'Confirm your new email address',
      lines: [
        { text: `Somebody, we hope you, wants to use this address for their ${env.appName} account.` },
        { text: 'Press the button to use it from now on. The link is good for 24 hours, and once.' },
      ],
      button: { text: 'Confirm this address', href: `/confirm-email?token=${token}` },
      notes: [{ text: 'If it was not you, leave this mail alone: nothing changes without the link.' }],
    }),
  )
}

/**
 * Tells the address of an account that another one is to take its place.
 *
 * @throws Error when the mail did not leave
 */
export async function tellOfWantedAddress(to: string, wanted: string): Promise<void> {
  await sendMail(
    writeMail(to, {
      subject: 'Your email address is about to change',
      heading: 'Your email address is about to change',
      lines: [
        { text: `Your ${env.appName} account is to use another address: ${wanted}.` },
        {
          text: 'It does so once the link in the mail to that address is followed. Until then this one stays.',
        },
      ],
      button: { text: 'Open your settings', href: '/settings?tab=profile' },
      notes: [
        {
          text: 'If it was not you, somebody else is signed in to your account. Set a new password now: that signs them out, and the link is of no more use.',
        },
        { text: 'Set a new password', href: '/forgot-password' },
      ],
    }),
  )
}

/** Tells the address that an account had before that it is the account's no more. */
export async function tellOfNewAddress(to: string, now: string): Promise<void> {
  if (!mailIsOn) return
  await sendMail(
    writeMail(to, {
      subject: 'Your email address was changed',
      heading: 'Your email address was changed',
      lines: [
        { text: `Your ${env.appName} account now uses the address ${now}.` },
        { text: 'This one can no longer be used to sign in or to set a new password.' },
      ],
      button: { text: `Open ${env.appName}`, href: '/' },
      notes: [{ text: 'If it was not you, write to the people who run this site: they can give it back.' }],
    }),
  )
}
