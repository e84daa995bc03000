import { emailLinkInvalid } from '../contract/account.ts'
import { runInBackground } from '../http/background.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import { sendEmailChangedNotice } from './mails.ts'
import * as queries from './queries.ts'

/**
 * Confirms a new email address with the token that was sent to it, and notifies the old address.
 *
 * @returns the new address
 * @throws ApiError 400 `email_token_invalid`, or for a banned email address; 409 `email_taken`; 429
 */
export async function confirmEmail(token: string, network: string): Promise<string> {
  const confirmed = await queries.confirmEmailChange(token, network).catch((error) => {
    // Another account may have registered the address since the change was requested.
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    throw invalidField('token', 'Email is already registered', 'email_taken')
  })
  if (!confirmed) throw invalidField('token', emailLinkInvalid, 'email_token_invalid')
  const { oldEmail, newEmail } = confirmed
  if (oldEmail) runInBackground(sendEmailChangedNotice(oldEmail, newEmail), 'email_change_mail_failed')
  return newEmail
}
