import { z } from 'zod'
import { asService } from '../db/run.ts'
import { env } from '../env.ts'
import { unavailable } from '../http/errors.ts'

const Verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

/** Reasons for a no that lie with Cloudflare or with our settings: solving another captcha would not help. */
const notTheirs = ['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error']

/** Minutes that a used token is remembered; Cloudflare's are good for five. */
const remembered = 10

/**
 * Asks Cloudflare whether a Turnstile token is good. It says yes to each once, and so do we, whoever is asked in its
 * place.
 *
 * @throws ApiError 503 when it cannot be asked, or cannot tell
 */
export async function verifyTurnstile(token: string, address: string): Promise<boolean> {
  return (await ask(token, address)) && (await use(token))
}

async function ask(token: string, address: string): Promise<boolean> {
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
    const { success, 'error-codes': reasons } = Verdict.parse(await response.json())
    if (response.status >= 500) throw new Error(`Turnstile answered ${response.status}`)
    const ours = reasons.find((reason) => notTheirs.includes(reason))
    if (!success && ours) throw new Error(`Turnstile could not tell: ${ours}`)
    return success
  } catch (error) {
    throw unavailable(error)
  }
}

async function use(token: string): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)))
  const signature = `turnstile:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const [row] = await asService(
    'whoever solves a captcha has no account yet, and nobody may mark others as spent',
    (tx) => tx<{ fresh: boolean }[]>`
      select private.use_captcha(${signature}::text, now() + make_interval(mins => ${remembered}::int)) as fresh`,
  )
  return row?.fresh ?? false
}
