import { checkCaptcha } from '../captcha/verify.ts'
import type { LoginRequest } from '../contract/auth.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../http/answers.ts'
import { inBackground } from '../http/background.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { verify } from '../http/session.ts'
import { giveBackSignIn, takeSignIn } from '../limits/queries.ts'
import { AuthRefusal, type Client, type Session, signIn } from './provider.ts'
import { beginSession, noteDevice } from './sessions.ts'

/** Milliseconds that a refusal takes at least, so that its time does not tell whether the address is known. */
const refusalTime = 600

/**
 * Signs somebody in.
 *
 * @throws ApiError 401 for a wrong address and a wrong password alike, 400 for the captcha, 429
 */
export async function login(
  form: LoginRequest,
  client: Client,
): Promise<{ user: JsonText<OwnUser>; session: Session }> {
  const started = performance.now()
  try {
    await checkCaptcha(form.recaptcha, client.address)
    const session = await tryPassword(form, client)
    const caller = await verify(session.access_token)
    if (!caller) throw unavailable(new Error('Auth signed a session that our keys do not verify'))
    const user = await beginSession(caller, client)
    inBackground(noteDevice(caller, client), 'device_not_noted')
    return { user, session }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      await new Promise((resolve) => setTimeout(resolve, refusalTime - (performance.now() - started)))
    }
    throw error
  }
}

/** Counted before it is tried, so that of many guesses at once, wherever they are tried, none goes uncounted. */
async function tryPassword(form: LoginRequest, client: Client): Promise<Session> {
  await takeSignIn(form.email, client.network)
  let failed = false
  try {
    return await signIn(form.email, form.password, client)
  } catch (error) {
    if (!(error instanceof AuthRefusal)) throw error
    // Anything but a wrong address or password is not the person's fault.
    failed = error.code === 'invalid_credentials'
    if (!failed) throw unavailable(error)
    throw new ApiError(401, 'Invalid email or password', { code: 'invalid_credentials' })
  } finally {
    if (!failed) await giveBackSignIn(form.email, client.network)
  }
}
