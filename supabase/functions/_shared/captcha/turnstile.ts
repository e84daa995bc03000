import { createHash } from 'node:crypto'
import { z } from 'zod'
import { env } from '../env.ts'
import { unavailable } from '../http/errors.ts'
import { markCaptchaUsed } from './used-captchas.ts'

const SiteverifyResponse = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

/** Error codes for a failure at Cloudflare or in our configuration. Solving another captcha would not help. */
const serverErrorCodes = ['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error']

/** How long a used token is remembered. Cloudflare's tokens are valid for 5 minutes. */
const rememberedMs = 10 * 60_000

/**
 * Asks Cloudflare whether a Turnstile token is valid. Cloudflare accepts each token once. The token is also marked as
 * used here, in case TURNSTILE_VERIFY_URL is not Cloudflare's.
 *
 * @throws ApiError 503 if Cloudflare cannot be reached or returns an error
 */
export async function verifyTurnstile(token: string, address: string): Promise<boolean> {
  return (await isValid(token, address)) && (await claimToken(token))
}

async function isValid(token: string, address: string): Promise<boolean> {
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
    const { success, 'error-codes': codes } = SiteverifyResponse.parse(await response.json())
    if (response.status >= 500) throw new Error(`Turnstile responded with ${response.status}`)
    const serverError = codes.find((code) => serverErrorCodes.includes(code))
    if (!success && serverError) throw new Error(`Turnstile could not verify the token: ${serverError}`)
    return success
  } catch (error) {
    throw unavailable(error)
  }
}

async function claimToken(token: string): Promise<boolean> {
  const signature = `turnstile:${createHash('sha256').update(token).digest('hex')}`
  return await markCaptchaUsed(signature, new Date(Date.now() + rememberedMs))
}
