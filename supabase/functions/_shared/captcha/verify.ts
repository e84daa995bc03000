import { env } from '../env.ts'
import { invalidField } from '../http/errors.ts'
import { verifyAltcha } from './altcha.ts'
import { verifyTurnstile } from './turnstile.ts'

/**
 * Checks that a token comes from a solved captcha of the configured provider. Each captcha is valid once.
 *
 * @throws ApiError 400 `captcha_failed`; 503 if the provider cannot be reached
 */
export async function requireCaptcha(token: string, address: string): Promise<void> {
  if (!(await isSolved(token, address))) {
    throw invalidField('recaptcha', 'Please complete the reCAPTCHA verification', 'captcha_failed')
  }
}

function isSolved(token: string, address: string): boolean | Promise<boolean> {
  switch (env.captcha.provider) {
    case 'altcha':
      return verifyAltcha(token)
    case 'turnstile':
      return verifyTurnstile(token, address)
    case 'none':
      return true
  }
}
