import { checkCaptcha } from '../captcha/verify.ts'
import type { LoginRequest } from '../contract/auth.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../http/answers.ts'
import { inBackground } from '../http/background.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { verify } from '../http/session.ts'
import { tryPassword } from './password.ts'
import type { Client, Session } from './provider.ts'
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
