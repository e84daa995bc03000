import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

export type Challenge = Parameters<typeof solveChallenge>[0]['challenge']

/** Solves a challenge as the widget would, and packs it as the widget does. */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge could not be solved.')
  return btoa(JSON.stringify({ challenge, solution }))
}

/** What a form sends for the answer of `GET /api/auth/captcha`; anything will do where the stack asks for none. */
export async function solved(answer: unknown): Promise<string> {
  const { provider, challenge } = answer as { provider: string; challenge: Challenge }
  return provider === 'altcha' ? await solve(challenge) : 'none'
}
