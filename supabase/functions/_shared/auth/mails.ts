import type { AccessToken, AccessTokenScope } from '../contract/access-token.ts'
import { env } from '../env.ts'
import { isMailEnabled, sendMail } from '../mail/send-mail.ts'
import { renderMail } from '../mail/template.ts'
import { readEmail, readSignInAlertEmail } from './queries.ts'

/** What a confirmation link confirms: the address of a new account, or a new address for an existing account. */
export type ConfirmationKind = 'registration' | 'change'

const confirmationTexts = {
  registration: {
    subject: 'Confirm your email address',
    request: `Somebody created an ${env.appName} account with this address.`,
    ignore: 'If it wasn’t you, you can ignore this email.',
  },
  change: {
    subject: 'Confirm your new email address',
    request: `We received a request to use this address for an ${env.appName} account.`,
    ignore: 'If you didn’t request this, you can ignore this email.',
  },
} as const satisfies Record<ConfirmationKind, Record<string, string>>

/**
 * Sends the link that confirms an email address.
 *
 * @throws Error if the email could not be sent
 */
export async function sendEmailConfirmation(
  to: string,
  token: string,
  kind: ConfirmationKind,
): Promise<void> {
  const { subject, request, ignore } = confirmationTexts[kind]
  await sendMail(
    renderMail(to, {
      subject,
      heading: subject,
      lines: [
        { text: request },
        { text: 'Press the button to confirm it. The link expires in 24 hours and works once.' },
      ],
      button: { text: 'Confirm this address', href: `/confirm-email?token=${token}` },
      notes: [{ text: ignore }],
    }),
  )
}

/**
 * Notifies an account's current address that a change to another address was requested.
 *
 * @throws Error if the email could not be sent
 */
export async function sendEmailChangeNotice(to: string, newEmail: string): Promise<void> {
  await sendMail(
    renderMail(to, {
      subject: 'Your email address is about to change',
      heading: 'Your email address is about to change',
      lines: [
        { text: `You asked to change the email address of your ${env.appName} account to ${newEmail}.` },
        { text: 'We sent a link to that address. Until you open it, your address stays the same.' },
      ],
      button: { text: 'Open your settings', href: '/settings/account' },
      notes: [
        {
          text: 'If this wasn’t you, someone else is signed in to your account. Reset your password now. This signs them out and cancels the change.',
        },
        { text: 'Reset your password', href: '/forgot-password' },
      ],
    }),
  )
}

/**
 * Notifies an account's previous address that the account now uses another one. Does nothing if mail is disabled.
 *
 * @throws Error if the email could not be sent
 */
export async function sendEmailChangedNotice(to: string, newEmail: string): Promise<void> {
  if (!isMailEnabled) return
  await sendMail(
    renderMail(to, {
      subject: 'Your email address was changed',
      heading: 'Your email address was changed',
      lines: [
        { text: `Your ${env.appName} account now uses ${newEmail}.` },
        { text: 'You can no longer sign in or reset your password with this address.' },
      ],
      button: { text: `Open ${env.appName}`, href: '/' },
      notes: [
        {
          text: 'If this wasn’t you, contact this site’s administrators. They can restore your address.',
        },
      ],
    }),
  )
}

const passwordChangedTexts = {
  reset: {
    how: `The password of your ${env.appName} account was changed with a link that we sent to this address.`,
    sessions:
      'You are signed out on all devices, and your access tokens are revoked. Sign in with your new password.',
    button: { text: 'Sign in', href: '/login' },
    advice:
      'If this wasn’t you, reset your password now, and change your email password too. Someone may have access to your mailbox.',
  },
  settings: {
    how: `The password of your ${env.appName} account was changed in the settings.`,
    sessions: 'You are signed out on all other devices, and your access tokens are revoked.',
    button: { text: 'Open Settings → Security', href: '/settings/security' },
    advice: 'If this wasn’t you, reset your password now. This signs out everybody who is signed in.',
  },
}

/**
 * Notifies a user that their password was changed, with a reset link or in the settings. Does nothing if mail is
 * disabled.
 *
 * @throws Error if the email could not be sent
 */
export async function sendPasswordChangedNotice(
  userId: string,
  means: keyof typeof passwordChangedTexts,
): Promise<void> {
  if (!isMailEnabled) return
  const to = await readEmail(userId)
  if (to === null) return
  const { how, sessions, button, advice } = passwordChangedTexts[means]
  await sendMail(
    renderMail(to, {
      subject: 'Your password was changed',
      heading: 'Your password was changed',
      lines: [{ text: how }, { text: sessions }],
      button,
      notes: [{ text: advice }, { text: 'Reset your password', href: '/forgot-password' }],
    }),
  )
}

const scopeTexts: Record<AccessTokenScope, string> = {
  read: 'read what you can see',
  write: 'make changes',
  messages: 'use your conversations',
}

/**
 * Notifies a user of a new access token. Does nothing if mail is disabled, or if the user has turned off email
 * notifications or login alerts.
 *
 * @throws Error if the email could not be sent
 */
export async function sendAccessTokenNotice(
  userId: string,
  { scopes, expiresAt }: Pick<AccessToken, 'scopes' | 'expiresAt'>,
): Promise<void> {
  if (!isMailEnabled) return
  const to = await readSignInAlertEmail(userId)
  if (to === null) return
  const expiry = expiresAt
    ? `It expires on ${timeFormat.format(new Date(expiresAt))} UTC.`
    : 'It does not expire.'
  await sendMail(
    renderMail(to, {
      subject: `New access token for ${env.appName}`,
      heading: 'New access token',
      lines: [
        { text: `Somebody with your password created an access token for your ${env.appName} account.` },
        {
          text: `Programs that use it can ${listFormat.format(scopes.map((scope) => scopeTexts[scope]))}. ${expiry}`,
        },
        { text: 'If this was you, you don’t need to do anything.' },
        {
          text: 'If this wasn’t you, change your password. This revokes all access tokens and signs out your other devices.',
        },
      ],
      button: { text: 'Open Settings → Developer', href: '/settings/developer' },
      notes: [{ text: 'You can turn off login alerts in Settings → Security.' }],
    }),
  )
}

/** A sign-in, as described to the user. `device` is a name that `safeDeviceName` returned. */
interface SignIn {
  device: string
  address: string
  time: Date
}

const listFormat = new Intl.ListFormat('en-US')

const timeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/**
 * Alerts a user to a sign-in from a new device. Does nothing if mail is disabled, or if the user has turned off email
 * notifications or login alerts.
 *
 * @throws Error if the email could not be sent
 */
export async function sendSignInAlert(userId: string, { device, address, time }: SignIn): Promise<void> {
  if (!isMailEnabled) return
  const to = await readSignInAlertEmail(userId)
  if (to === null) return
  await sendMail(
    renderMail(to, {
      subject: `New sign-in to ${env.appName}`,
      heading: 'New sign-in',
      lines: [
        { text: `We noticed a sign-in to your ${env.appName} account from a new device.` },
        { text: `Device: ${device}` },
        { text: `Time: ${timeFormat.format(time)} UTC` },
        { text: `IP address: ${address}` },
        { text: 'If this was you, you don’t need to do anything.' },
        {
          text: 'If this wasn’t you, go to Settings → Security, log out any device you don’t recognize, and change your password.',
        },
      ],
      button: { text: 'Open Settings → Security', href: '/settings/security' },
      notes: [{ text: 'You can turn off login alerts there too.' }],
    }),
  )
}
