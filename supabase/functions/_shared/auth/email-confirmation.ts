import { randomBytes } from 'node:crypto'
import { emailLinkInvalid } from '../contract/account.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import { isMailEnabled } from '../mail/send-mail.ts'
import { type ConfirmationKind, sendEmailChangedNotice, sendEmailConfirmation } from './mails.ts'
import * as queries from './queries.ts'

/** Returns a token for a confirmation link: 32 random bytes as base64url. */
export const createEmailToken = (): string => randomBytes(32).toString('base64url')

/** Sends a confirmation link. If that fails, deletes its token, so that the user can request another one. */
export async function sendConfirmationLink(
  email: string,
  token: string,
  kind: ConfirmationKind,
): Promise<void> {
  try {
    await sendEmailConfirmation(email, token, kind)
  } catch (error) {
    await queries.cancelEmailToken(token)
    throw error
  }
}

/**
 * Sends the confirmation link for a new account in the background. If mail is disabled, marks the address as confirmed
 * instead, unless this site requires confirmation.
 */
export async function requestEmailConfirmation(userId: string, email: string): Promise<void> {
  const token = isMailEnabled ? createEmailToken() : null
  await queries.beginEmailConfirmation(userId, token)
  if (token) {
    runInBackground(sendConfirmationLink(email, token, 'registration'), 'confirmation_mail_failed')
  }
}

/**
 * Sends the caller a new confirmation link in the background. It goes to the new address of a pending change or, if no
 * change is pending, to the unconfirmed address of the account. Does nothing if there is no address to confirm.
 *
 * @throws ApiError 429; 503 if mail is disabled
 */
export async function resendConfirmation(caller: Caller): Promise<void> {
  if (!isMailEnabled) {
    throw new ApiError(503, "This site doesn't send mail, so your email address can't be confirmed.")
  }
  const token = createEmailToken()
  const link = await queries.renewEmailToken(caller, token)
  if (!link) return
  const kind = link.isChange ? 'change' : 'registration'
  runInBackground(sendConfirmationLink(link.email, token, kind), 'confirmation_mail_failed')
}

/**
 * Confirms an email address with the token that was sent to it. If it is a new address, notifies the old one, unless
 * the old one was unconfirmed and so may belong to somebody else.
 *
 * @returns the confirmed address
 * @throws ApiError 400 `email_token_invalid`, or for a banned email address; 409 `email_taken`; 429 after too many
 *   invalid tokens
 */
export async function confirmEmail(token: string, network: string): Promise<string> {
  const confirmed = await queries.confirmEmailChange(token, network).catch((error) => {
    // Another account may have registered the address since the change was requested.
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    throw invalidField('token', 'Email is already registered', 'email_taken')
  })
  if (!confirmed) throw invalidField('token', emailLinkInvalid, 'email_token_invalid')
  const { oldEmail, newEmail } = confirmed
  if (oldEmail && oldEmail.toLowerCase() !== newEmail.toLowerCase()) {
    runInBackground(sendEmailChangedNotice(oldEmail, newEmail), 'email_change_mail_failed')
  }
  return newEmail
}
