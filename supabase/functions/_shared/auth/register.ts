import { requireCaptcha } from '../captcha/verify.ts'
import type { RegisterRequest } from '../contract/auth.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../db/sql.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { consumeRefusedRegistrationLimit, consumeRegistrationLimit } from '../rate-limits.ts'
import { readNewUser } from '../users/queries.ts'
import type { ClientInfo } from './client-info.ts'
import { requestEmailConfirmation } from './email-confirmation.ts'
import { checkRegistration, isSignInAfterRegistrationEnabled } from './queries.ts'
import { startSession } from './sign-in.ts'
import { AuthApiError, type Session, signOut, signUp } from './supabase-auth.ts'

/**
 * Creates an account and sends the link that confirms its email address. If the operator enabled sign-in after
 * registration, also signs the new user in, without a second captcha.
 *
 * @throws ApiError 400 `captcha_failed`, or for a name or email address that is not allowed; 409 for a taken username
 *   or email address; 429 if a rate limit is reached; 503 if Auth or the captcha provider is unavailable
 */
export async function register(
  form: RegisterRequest,
  client: ClientInfo,
): Promise<{ user: JsonText<OwnUser>; session?: Session }> {
  await requireCaptcha(form.recaptcha, client.address)
  await checkAvailability(form, client)
  await consumeRegistrationLimit(client.network)
  const { userId, session } = await createAccount(form, client)
  // The account has been created, so this error is only logged: the user can request another link.
  await requestEmailConfirmation(userId, form.email).catch(() =>
    log('warn', 'confirmation_request_failed', { userId }),
  )
  if (session) {
    if (await isSignInAfterRegistrationEnabled()) {
      // The account has been created, so an error here is ignored: the user can still sign in as usual.
      const user = await startSession(session, client).catch(() => null)
      if (user) return { user, session }
    }
    await signOut(session.access_token)
  }
  return { user: await readNewUser(userId) }
}

/**
 * Rejects taken and disallowed names and email addresses. Rejections are rate limited, to slow down account
 * enumeration.
 */
async function checkAvailability(form: RegisterRequest, client: ClientInfo): Promise<void> {
  try {
    await checkRegistration(form)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await consumeRefusedRegistrationLimit(client.network)
    throw error
  }
}

/**
 * Creates the account in Auth. If Auth returns an error, for example because a concurrent registration took the
 * username, a second check throws the specific error.
 */
async function createAccount(form: RegisterRequest, client: ClientInfo) {
  try {
    return await signUp(form, client)
  } catch (error) {
    if (!(error instanceof AuthApiError)) throw error
    await checkRegistration(form)
    if (error.status >= 500) throw unavailable(error)
    throw new ApiError(400, 'Registration failed', { cause: error })
  }
}
