import { z } from 'zod'
import { env } from '../env.ts'
import { unavailable } from '../http/errors.ts'

const Verdict = z.object({ success: z.boolean() })

/**
 * Asks Cloudflare whether a Turnstile token is good; it answers so once.
 *
 * @throws ApiError 503 when it cannot be asked
 */
export async function verifyTurnstile(token: string, address: string): Promise<boolean> {
  try {
    const response = await fetch(env.captcha.turnstileVerifyUrl, {
      method: 'POST',
      body: new URLSearchParams({
        secret: env.captcha.turnstileSecret,
        response: token,
        ...(address === 'unknown' ? {} : { remoteip: address }),
      }),
      signal: AbortSignal.timeout(5000),
    })
    return Verdict.parse(await response.json()).success
  } catch (error) {
    throw unavailable(error)
  }
}
