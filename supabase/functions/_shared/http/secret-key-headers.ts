import { env } from '../env.ts'

/**
 * Returns headers with the secret key. With this key, Storage bypasses all policies, and Auth skips its own captcha
 * check: the API checks the captcha on the routes that require one.
 */
export const secretKeyHeaders = () => ({
  apikey: env.secretKey,
  // Auth and Storage reject a secret key that is sent with a browser's user agent.
  'User-Agent': 'ovation-api',
})
