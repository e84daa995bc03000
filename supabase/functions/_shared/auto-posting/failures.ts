import OpenAI from 'openai'
import { HugeAnswer } from './bounded-fetch.ts'
import { type Passing, ProviderProblem } from './problem.ts'

/**
 * What a failed call of the SDK means: something that may pass, or a problem that a repetition does not mend.
 *
 * @param now milliseconds, against which a date in Retry-After is read
 */
export function readFailure(error: unknown, now: number): Passing | ProviderProblem {
  if (error instanceof HugeAnswer || causeOf(error) instanceof HugeAnswer) {
    return passing('The provider’s answer was too long to be one.', true)
  }
  if (!(error instanceof OpenAI.APIError)) {
    // The SDK could not read what came: no JSON, or half of it.
    return passing('The provider’s answer could not be read.', true)
  }
  if (error instanceof OpenAI.APIUserAbortError || error instanceof OpenAI.APIConnectionTimeoutError) {
    return passing('The provider did not answer in time.', true)
  }
  if (error instanceof OpenAI.APIConnectionError || error.status === undefined) {
    return passing('The provider could not be reached, or cut the connection.', true)
  }
  return ofStatus(error.status, error.code, error.headers, now)
}

const passing = (message: string, mayCost: boolean, wait: number | null = null): Passing => ({
  message,
  mayCost,
  wait,
})

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

function ofStatus(
  status: number,
  code: unknown,
  headers: Headers | undefined,
  now: number,
): Passing | ProviderProblem {
  switch (status) {
    case 401:
      return new ProviderProblem('The provider does not take the API key.', {
        forEverybody: true,
        keyRefused: true,
      })
    case 403:
      return new ProviderProblem('The provider does not allow this with this API key (403).', {
        forEverybody: true,
      })
    case 404:
      return new ProviderProblem('The provider does not know the model, or the call (404).', {
        forEverybody: true,
      })
    case 429:
      if (code === 'insufficient_quota') {
        return new ProviderProblem('The account at the provider has no money left (429).', {
          forEverybody: true,
        })
      }
      return passing('The provider is asked too often (429).', false, waitIn(headers, now))
    case 408:
    case 409:
      return passing(`The provider asks to try again (${status}).`, false, waitIn(headers, now))
    default:
      if (status >= 500) return passing(`The provider has a fault (${status}).`, false, waitIn(headers, now))
      return new ProviderProblem(`The provider refused the call (${status}).`)
  }
}

/** Milliseconds that `Retry-After` asks to wait, in seconds or as a date. */
function waitIn(headers: Headers | undefined, now: number): number | null {
  const given = headers?.get('retry-after')
  if (!given) return null
  const wait = /^\d+(\.\d+)?$/.test(given.trim()) ? Number(given) * 1000 : Date.parse(given) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
