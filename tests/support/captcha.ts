import * as lib from './solve.ts'
import { secrets, stack } from './stack.ts'

export { solve } from './solve.ts'

/** A fresh captcha of the stack's own, solved: half a second of work. */
export async function hardCaptcha(): Promise<string> {
  const response = await fetch(`${stack.apiUrl}/api/auth/captcha`)
  return await lib.solved(await response.json())
}

/** A fresh captcha, solved, for calls that are about something else; anything will do where the stack asks for none. */
export const captcha = (): Promise<string> => lib.easyCaptcha(secrets.altchaKey)

/** A challenge signed by `key` (the stack's own when left out) that is good until `expires`. */
export const challengeUntil = (expires: Date, key = secrets.altchaKey): Promise<lib.Challenge> =>
  lib.challengeUntil(expires, key)
