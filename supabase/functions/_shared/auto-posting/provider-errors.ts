import OpenAI from 'openai'
import { ResponseTooLargeError } from './bounded-fetch.ts'

/**
 * A failure after which the call is not retried. The messages are our own, because the provider's messages may quote
 * the request.
 */
export class ProviderError extends Error {
  /** Whether all other users' runs would currently fail in the same way. */
  readonly affectsAllRuns: boolean
  readonly isKeyRejected: boolean

  constructor(message: string, { affectsAllRuns = false, isKeyRejected = false } = {}) {
    super(message)
    this.name = 'ProviderError'
    this.affectsAllRuns = affectsAllRuns
    this.isKeyRejected = isKeyRejected
  }
}

/** A failure that a retry may fix. */
export type TransientFailure = {
  message: string
  /** How long the provider asked us to wait; null if it did not say. */
  retryAfterMs: number | null
  /** Whether the provider may have processed the request, and so may charge for it. */
  mayCost: boolean
}

/**
 * Classifies an error thrown by the SDK.
 *
 * @param now the current time in milliseconds, for a `Retry-After` header that contains a date
 */
export function classifyError(error: unknown, now: number): TransientFailure | ProviderError {
  if (error instanceof ResponseTooLargeError || causeOf(error) instanceof ResponseTooLargeError) {
    return transientFailure("The provider's response was too long.", true)
  }
  if (!(error instanceof OpenAI.APIError)) {
    // The response is not JSON, is incomplete, or has an unexpected shape.
    return transientFailure("The provider's response could not be read.", true)
  }
  if (error instanceof OpenAI.APIUserAbortError || error instanceof OpenAI.APIConnectionTimeoutError) {
    return transientFailure('The provider did not respond in time.', true)
  }
  if (error instanceof OpenAI.APIConnectionError || error.status === undefined) {
    return transientFailure('The provider could not be reached, or it closed the connection.', true)
  }
  return classifyStatus(error.status, error.code, error.headers, now)
}

const transientFailure = (
  message: string,
  mayCost: boolean,
  retryAfterMs: number | null = null,
): TransientFailure => ({ message, mayCost, retryAfterMs })

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

function classifyStatus(
  status: number,
  code: unknown,
  headers: Headers | undefined,
  now: number,
): TransientFailure | ProviderError {
  switch (status) {
    case 401:
      return new ProviderError('The provider rejected the API key.', {
        affectsAllRuns: true,
        isKeyRejected: true,
      })
    case 403:
      return new ProviderError('The API key lacks permission for this request (403).', {
        affectsAllRuns: true,
      })
    case 404:
      return new ProviderError('The provider does not have this model or endpoint (404).', {
        affectsAllRuns: true,
      })
    case 429:
      if (code === 'insufficient_quota') {
        return new ProviderError('The provider account has run out of credit (429).', {
          affectsAllRuns: true,
        })
      }
      return transientFailure(
        'The rate limit of the provider was reached (429).',
        false,
        retryAfterMs(headers, now),
      )
    case 408:
    case 409:
      return transientFailure(
        `The provider asked us to try again (${status}).`,
        false,
        retryAfterMs(headers, now),
      )
    default:
      if (status >= 500) {
        return transientFailure(
          `The provider had an internal error (${status}).`,
          false,
          retryAfterMs(headers, now),
        )
      }
      return new ProviderError(`The provider rejected the request (${status}).`)
  }
}

/** Reads `Retry-After`, which contains a number of seconds or a date. Returns null if it is missing or invalid. */
function retryAfterMs(headers: Headers | undefined, now: number): number | null {
  const value = headers?.get('retry-after')
  if (!value) return null
  const delayMs = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : null
}
