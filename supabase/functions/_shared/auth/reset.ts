import { type ResetPasswordRequest, resetLinkInvalid } from '../contract/auth.ts'
import { inBackground } from '../http/background.ts'
import { ApiError, invalidField, unavailable } from '../http/errors.ts'
import { verify } from '../http/session.ts'
import { takeResetMail } from '../limits/queries.ts'
import { tellOfNewPassword } from './password-mail.ts'
import * as auth from './provider.ts'
import { giveBackReset, openReset } from './reset-queries.ts'
import { endAllSessions } from './sessions.ts'

/**
 * Milliseconds after which a request for a mail is answered: far more than its own steps take, so that neither the
 * answer nor its time tells whether the address is known.
 */
const answerAfter = 500

/**
 * Has a reset mail sent, if anybody has the address. The mail is on its way by itself: how that goes is only logged.
 *
 * @throws ApiError 503 when Auth does not answer at all, 429
 */
export async function requestReset(email: string, client: auth.Client): Promise<void> {
  const answered = new Promise((resolve) => setTimeout(resolve, answerAfter))
  await auth.checkAuthAnswers()
  await takeResetMail(email, client.network)
  inBackground(auth.recover(email, client), 'reset_mail_failed', (error) => ({
    status: error instanceof auth.AuthRefusal || error instanceof ApiError ? error.status : undefined,
    ...(error instanceof auth.AuthRefusal ? { code: error.code } : {}),
  }))
  await answered
}

/** Whether a link can still be used; looking does not spend it. */
export const isResetLinkGood = (token: string, client: auth.Client) => openReset(token, client.network, false)

/**
 * Sets a new password with the link of a mail, which is good once however many send it, and signs the person out
 * everywhere.
 *
 * @throws ApiError 400 `reset_token_invalid`, 400 for a password that Auth finds too weak, 429, 503
 */
export async function resetPassword(form: ResetPasswordRequest, client: auth.Client): Promise<void> {
  const { token, newPassword } = form
  if (!(await openReset(token, client.network, true))) throw linkInvalid()
  const { access_token: accessToken } = await spend(token, client)
  const caller = await verify(accessToken)
  if (!caller) throw unavailable(new Error('Auth signed a session that our keys do not verify'))
  try {
    await twice(() => changePassword(newPassword, accessToken, client))
  } catch (error) {
    await auth.endSession(accessToken)
    throw passwordRefused(error)
  }
  inBackground(tellOfNewPassword(caller.userId), 'password_mail_failed')
  try {
    await twice(() => endAllSessions(caller.userId))
  } catch (cause) {
    throw new ApiError(
      503,
      'Your new password is set, but you could not be signed out everywhere. Please sign in and end your other sessions in the settings.',
      { cause },
    )
  }
}

async function spend(token: string, client: auth.Client): Promise<auth.Session> {
  try {
    return await auth.spendResetLink(token, client)
  } catch (error) {
    // Not spent, as far as can be known; if it was, the next one who tries hears so.
    await giveBackReset(token)
    if (!(error instanceof auth.AuthRefusal)) throw error
    throw error.status < 500 ? linkInvalid() : unavailable(error)
  }
}

async function changePassword(password: string, accessToken: string, client: auth.Client): Promise<void> {
  try {
    await auth.setPassword(password, accessToken, client)
  } catch (error) {
    // It is the password they want already.
    if (!(error instanceof auth.AuthRefusal && error.code === 'same_password')) throw error
  }
}

/** The link is spent by now, so a step that did not get through is tried again before anybody hears of it. */
async function twice(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (error instanceof auth.AuthRefusal && error.status < 500) throw error
    await step()
  }
}

const linkInvalid = () => invalidField('token', resetLinkInvalid, 'reset_token_invalid')

function passwordRefused(cause: unknown): ApiError {
  if (cause instanceof auth.AuthRefusal && cause.code === 'weak_password') {
    return invalidField(
      'newPassword',
      'This password is too easy to guess, and the link is used up. Please request a new password reset.',
    )
  }
  return new ApiError(
    503,
    'The password could not be changed, and the link is used up. Please request a new password reset.',
    { cause },
  )
}
