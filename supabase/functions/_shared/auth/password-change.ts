import type { ChangePasswordRequest } from '../contract/auth.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, invalidField, unavailable } from '../http/errors.ts'
import type { ClientInfo } from './client-info.ts'
import { sendPasswordChangedNotice } from './mails.ts'
import { revokeSessionsAfterPasswordChange } from './queries.ts'
import { confirmOwnPassword } from './sign-in.ts'
import { AuthApiError, signOut, updatePassword } from './supabase-auth.ts'

/**
 * Changes the caller's password, ends all of their sessions except the current one, and notifies them by email. The
 * current password is checked with Auth, and a wrong one counts as a failed sign-in.
 *
 * @throws ApiError 400 for a password that Auth rejects as weak; 401 if the session has ended, or `invalid_credentials`
 *   for a wrong current password; 429; 503 if Auth is unavailable, or if the password was changed but other sessions
 *   could not be ended
 */
export async function changePassword(
  caller: Caller,
  { currentPassword, newPassword }: ChangePasswordRequest,
  client: ClientInfo,
): Promise<void> {
  const temporaryToken = await confirmOwnPassword(caller, currentPassword, 'currentPassword', client)
  try {
    // Uses the caller's own token, because Auth ends all sessions except the one that changes the password.
    await updatePassword(newPassword, caller.token, client)
  } catch (error) {
    await signOut(temporaryToken)
    throw passwordError(error)
  }
  runInBackground(sendPasswordChangedNotice(caller.userId, 'settings'), 'password_mail_failed')
  try {
    await revokeSessionsAfterPasswordChange(caller)
  } catch (cause) {
    throw new ApiError(
      503,
      "Your new password is set, but we couldn't sign you out on your other devices. Please end your other sessions in Settings.",
      { cause },
    )
  }
}

function passwordError(error: unknown): unknown {
  if (!(error instanceof AuthApiError)) return error
  if (error.code === 'weak_password') {
    return invalidField('newPassword', 'This password is too easy to guess. Please choose another one.')
  }
  return unavailable(error)
}
