import { asService } from '../http/run-as.ts'

/**
 * Marks a solved captcha as used. Returns false if it was used before.
 *
 * @param expiresAt when the mark expires; the captcha must have expired by then
 */
export async function markCaptchaUsed(signature: string, expiresAt: Date): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ fresh: boolean }[]>`
      select private.use_captcha(${signature}::text, ${expiresAt.toISOString()}::text::timestamptz) as fresh`,
  )
  return row?.fresh ?? false
}
