import { asService } from '../http/run-as.ts'

/**
 * Marks a solved captcha as used. Returns false if it was used before.
 *
 * @param expiresAt until when it is remembered; it must be invalid by then
 */
export async function markCaptchaUsed(signature: string, expiresAt: Date): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ fresh: boolean }[]>`
      select private.use_captcha(${signature}::text, ${expiresAt.toISOString()}::text::timestamptz) as fresh`,
  )
  return row?.fresh ?? false
}
