import { checkCaptcha } from '../captcha/verify.ts'
import type { RegisterRequest } from '../contract/auth.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { takeRefusal, takeRegistration } from '../limits/queries.ts'
import { readNewUser } from '../users/queries.ts'
import { AuthRefusal, type Client, endSession, signUp } from './provider.ts'
import { checkFree } from './queries.ts'

/**
 * Makes an account, whole or not at all.
 *
 * @throws ApiError 400 for the captcha and names that are not given away, 409 for a taken username or address, 429
 */
export async function register(form: RegisterRequest, client: Client): Promise<JsonText<OwnUser>> {
  await checkCaptcha(form.recaptcha, client.address)
  await checkName(form, client)
  await takeRegistration(client.network)
  const { userId, accessToken } = await signUpOnce(form, client)
  // People sign in by themselves after registering: the session that Auth opened would only lie about.
  if (accessToken) await endSession(accessToken)
  return await readNewUser(userId)
}

/** Refuses what is taken or reserved; who hears that too often hears nothing more. */
async function checkName(form: RegisterRequest, client: Client): Promise<void> {
  try {
    await checkFree(form)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await takeRefusal(client.network)
    throw error
  }
}

/** Two people may ask for one name at once: the database lets one of them through, and the other hears why. */
async function signUpOnce(form: RegisterRequest, client: Client) {
  try {
    return await signUp(form, client)
  } catch (error) {
    if (!(error instanceof AuthRefusal)) throw error
    await checkFree(form)
    if (error.status >= 500) throw unavailable(error)
    throw new ApiError(400, 'Registration failed', { cause: error })
  }
}
