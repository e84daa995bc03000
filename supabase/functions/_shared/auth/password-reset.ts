import { type ResetPasswordRequest, resetLinkInvalid } from '../contract/auth.ts'
import { runInBackground } from '../http/background.ts'
import { verifyToken } from '../http/caller.ts'
import { ApiError, invalidField, unavailable } from '../http/errors.ts'
import { consumeResetMailLimit } from '../rate-limits.ts'
import type { ClientInfo } from './client-info.ts'
import { sendPasswordChangedNotice } from './mails.ts'
import { claimResetToken, releaseResetToken, revokeAllSessions } from './queries.ts'
import * as auth from './supabase-auth.ts'

/**
 * The minimum duration of a successful request for a password reset email. Handling it normally takes far less time, so
 * the timing does not reveal whether the account exists.
 */
const minResponseMs = 500

/**
 * Sends a password reset email if the address belongs to an account. The email is sent in the background, and a failure
 * is only logged.
 *
 * @throws ApiError 429; 503 if Auth is unavailable
 */
export async function requestPasswordReset(email: string, client: ClientInfo): Promise<void> {
  const delay = new Promise((resolve) => setTimeout(resolve, minResponseMs))
  await auth.requireAuthHealth()
  await consumeResetMailLimit(email, client.network)
  runInBackground(auth.sendPasswordResetMail(email, client), 'reset_mail_failed', (error) => ({
    status: error instanceof auth.AuthApiError || error instanceof ApiError ? error.status : undefined,
    ...(error instanceof auth.AuthApiError ? { code: error.code } : {}),
  }))
  await delay
}

/**
 * Sets a new password with the token from a password reset email, and signs the user out everywhere. The token works
 * once, even if several requests use it at the same time.
 *
 * @throws ApiError 400 for a password that Auth rejects as weak, or `reset_token_invalid`; 429 after too many invalid
 *   tokens; 503 if Auth fails or the sessions cannot be ended
 */
export async function resetPassword(form: ResetPasswordRequest, client: ClientInfo): Promise<void> {
  const { token, newPassword } = form
  if (!(await claimResetToken(token, client.network))) throw invalidToken()
  const { access_token: accessToken } = await openSession(token, client)
  const caller = await verifyToken(accessToken)
  if (!caller) throw unavailable(new Error('A token from Auth does not match the configured keys'))
  try {
    await auth.updatePassword(newPassword, accessToken, client)
  } catch (error) {
    await auth.signOut(accessToken)
    throw passwordError(error)
  }
  runInBackground(sendPasswordChangedNotice(caller.userId, 'reset'), 'password_mail_failed')
  try {
    await auth.retryOnce(() => revokeAllSessions(caller.userId))
  } catch (cause) {
    throw new ApiError(
      503,
      "Your new password is set, but we couldn't sign you out everywhere. Please sign in and end your other sessions in Settings.",
      { cause },
    )
  }
}

async function openSession(token: string, client: ClientInfo): Promise<auth.Session> {
  try {
    return await auth.verifyPasswordResetToken(token, client)
  } catch (error) {
    // Auth has probably not used up the token. If it has, the user's next attempt gets `reset_token_invalid`.
    await releaseResetToken(token)
    if (!(error instanceof auth.AuthApiError)) throw error
    throw error.status < 500 ? invalidToken() : unavailable(error)
  }
}

const invalidToken = () => invalidField('token', resetLinkInvalid, 'reset_token_invalid')

function passwordError(cause: unknown): ApiError {
  if (cause instanceof auth.AuthApiError && cause.code === 'weak_password') {
    return invalidField(
      'newPassword',
      "This password is too easy to guess, and the link can't be used again. Please request a new password reset.",
    )
  }
  return new ApiError(
    503,
    "Your password couldn't be changed, and the link can't be used again. Please request a new password reset.",
    { cause },
  )
}
