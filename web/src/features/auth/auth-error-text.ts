import { ApiError, errorMessage } from '@/lib/api'

/** What the server said about a failure, and when to try again where it told; else `fallback`. */
export function authErrorText(error: unknown, fallback: string): string {
  const text = errorMessage(error, fallback)
  const wait = error instanceof ApiError ? error.retryAfter : undefined
  return wait ? `${text} You can try again in ${inWords(wait)}.` : text
}

function inWords(seconds: number): string {
  if (seconds < 60) return count(Math.ceil(seconds), 'second')
  if (seconds < 3600) return count(Math.ceil(seconds / 60), 'minute')
  return count(Math.ceil(seconds / 3600), 'hour')
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`
