import { ApiError, unavailable } from '../http/errors.ts'
import { giveBackSignIn, takeSignIn } from '../limits/queries.ts'
import { AuthRefusal, type Client, type Session, signIn } from './provider.ts'

/**
 * Opens a session with a password. Counted before it is tried, so that of many guesses at once, wherever they are tried,
 * none goes uncounted; only a failed one stays counted.
 *
 * @throws ApiError 401 `invalid_credentials` for a wrong address and a wrong password alike, 429
 */
export async function tryPassword(
  { email, password }: { email: string; password: string },
  client: Client,
): Promise<Session> {
  await takeSignIn(email, client.network)
  let failed = false
  try {
    return await signIn(email, password, client)
  } catch (error) {
    if (!(error instanceof AuthRefusal)) throw error
    // Anything but a wrong address or password is not the person's fault.
    failed = error.code === 'invalid_credentials'
    if (!failed) throw unavailable(error)
    throw new ApiError(401, 'Invalid email or password', { code: 'invalid_credentials' })
  } finally {
    if (!failed) await giveBackSignIn(email, client.network)
  }
}
