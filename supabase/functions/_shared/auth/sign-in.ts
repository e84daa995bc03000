import { requireCaptcha } from '../captcha/verify.ts'
import type { LoginRequest } from '../contract/auth.ts'
import { safeDeviceName } from '../contract/device.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../db/sql.ts'
import { runInBackground } from '../http/background.ts'
import { type Caller, verifyToken } from '../http/caller.ts'
import { ApiError, unauthorized, unavailable } from '../http/errors.ts'
import { consumeOwnPasswordLimit, consumeSignInLimit, refundSignInLimit } from '../rate-limits.ts'
import type { ClientInfo } from './client-info.ts'
import { sendSignInAlert } from './mails.ts'
import { readOwnEmail, recordDevice, recordSession } from './queries.ts'
import { AuthApiError, type Session, signInWithPassword } from './supabase-auth.ts'

/** A 401 response takes at least this long, so that its timing does not reveal whether the account exists. */
const minRejectionMs = 600

/**
 * Signs a user in.
 *
 * @throws ApiError 400 `captcha_failed`; 401, the same for an unknown email address and a wrong password; 429 if a
 *   rate limit is reached; 503 if Auth or the captcha provider is unavailable
 */
export async function signIn(
  form: LoginRequest,
  client: ClientInfo,
): Promise<{ user: JsonText<OwnUser>; session: Session }> {
  const startedAt = performance.now()
  try {
    await requireCaptcha(form.recaptcha, client.address)
    const session = await checkPassword(form, client)
    return { user: await startSession(session, client, form.email), session }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      const elapsedMs = performance.now() - startedAt
      await new Promise((resolve) => setTimeout(resolve, minRejectionMs - elapsedMs))
    }
    throw error
  }
}

/**
 * Records the client and the device of a session that Auth has just opened.
 *
 * @param countedEmail the email address for which `checkPassword` counted the sign-in; this count is refunded
 * @returns the record of the session's user
 * @throws ApiError 401 if the account was deleted; 503 if the session cannot be verified or recorded
 */
export async function startSession(
  session: Session,
  client: ClientInfo,
  countedEmail: string | null = null,
): Promise<JsonText<OwnUser>> {
  const user = await recordSessionOrRefund(session, client, countedEmail)
  if (!user) throw unauthorized()
  return user
}

/** Records a session. Refunds the counted sign-in in the same transaction or, if that fails, afterwards. */
async function recordSessionOrRefund(session: Session, client: ClientInfo, countedEmail: string | null) {
  try {
    const caller = await verifyToken(session.access_token)
    if (!caller) throw unavailable(new Error('A token from Auth does not match the configured keys'))
    const device = safeDeviceName(client.userAgent)
    const recorded = await recordSession(caller, client, device, countedEmail)
    if (recorded && !recorded.isKnownDevice) {
      runInBackground(alertNewDevice(caller.userId, device, client.address), 'device_recording_failed')
    }
    return recorded?.user ?? null
  } catch (error) {
    if (countedEmail !== null) await refundSignInLimit(countedEmail, client.network)
    throw error
  }
}

/**
 * Opens a session with a password. The attempt is counted against the rate limit before it is made, so that no
 * concurrent guess goes uncounted. If the attempt succeeds, the calling function must refund it. If it fails, it is
 * refunded here, unless the credentials are wrong.
 *
 * @throws ApiError 401 `invalid_credentials` for an unknown email address or a wrong password; 429 if a rate
 *   limit is reached; 503 if Auth is unavailable
 */
async function checkPassword(
  { email, password }: { email: string; password: string },
  client: ClientInfo,
): Promise<Session> {
  await consumeSignInLimit(email, client.network)
  try {
    return await signInWithPassword(email, password, client)
  } catch (error) {
    if (error instanceof AuthApiError && error.code === 'invalid_credentials')
      throw new ApiError(401, 'Invalid email or password', { code: 'invalid_credentials' })
    await refundSignInLimit(email, client.network)
    throw error instanceof AuthApiError ? unavailable(error) : error
  }
}

/**
 * Checks the password of a signed-in user, at most 30 times an hour. A wrong one counts as a failed sign-in.
 *
 * @param field the field of the request that contains the password
 * @returns the access token of the session that Auth opens to check the password; the calling function must end
 *   this session
 * @throws ApiError 401 if the session has ended, or `invalid_credentials`, with an error for the field, if the password
 *   is wrong; 429 if a rate limit is reached; 503 if Auth is unavailable
 */
export async function confirmOwnPassword(
  caller: Caller,
  password: string,
  field: string,
  client: ClientInfo,
): Promise<string> {
  const email = await readOwnEmail(caller)
  await consumeOwnPasswordLimit(caller)
  try {
    const { access_token } = await checkPassword({ email, password }, client)
    await refundSignInLimit(email, client.network)
    return access_token
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') throw error
    const message = 'Incorrect password.'
    throw new ApiError(401, message, { code: error.code, errors: { [field]: [message] } })
  }
}

/** Records the device of a sign-in. If it is new, alerts the user in the app and by email, as their settings allow. */
async function alertNewDevice(userId: string, device: string, address: string): Promise<void> {
  const time = new Date()
  if (await recordDevice(userId, device)) {
    runInBackground(sendSignInAlert(userId, { device, address, time }), 'sign_in_mail_failed')
  }
}
