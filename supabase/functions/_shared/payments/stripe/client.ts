import Stripe from 'stripe'
import { env } from '../../env.ts'
import { ApiError } from '../../http/errors.ts'

const { secretKey, apiBase } = env.stripe
const base = apiBase ? new URL(apiBase) : null

/** Stripe's API, or what speaks it at STRIPE_API_BASE. Its version is the one that the SDK was made for. */
export const stripe = new Stripe(secretKey, {
  httpClient: Stripe.createFetchHttpClient(),
  timeout: 15_000,
  maxNetworkRetries: 1,
  telemetry: false,
  ...(base
    ? {
        host: base.hostname,
        port: base.port || (base.protocol === 'https:' ? '443' : '80'),
        protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
      }
    : {}),
})

/** The id of what Stripe names by it, or shows whole. */
export const idOf = (named: string | { id: string } | null | undefined): string | null =>
  typeof named === 'string' ? named : (named?.id ?? null)

/**
 * A key under which Stripe does something once: made of what is asked for, so that another wish is never answered with
 * what came of an earlier one.
 *
 * @param parts whatever makes it another wish
 */
export async function onceFor(...parts: unknown[]): Promise<{ idempotencyKey: string }> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { idempotencyKey: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') }
}

/** Stripe knows nothing of what it was asked about, or not any more. */
export const isGone = (error: unknown, param?: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  (param === undefined || error.param === param)

/** Stripe refused what it was asked for, as things are. */
export const isRefused = (error: unknown, code?: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && (code === undefined || error.code === code)

/** What somebody hears who waits for Stripe in vain. */
export const asFailed = (error: unknown): unknown =>
  error instanceof Stripe.errors.StripeError
    ? new ApiError(503, 'Payments cannot be made at the moment. Please try again.', {
        code: 'payment_failed',
        cause: error,
      })
    : error

/** Why something failed, for the log: Stripe's words, and the database's, may repeat values. */
export function reasonOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) return [error.type, error.code].filter(Boolean).join(' ')
  if (!(error instanceof Error)) return String(error)
  return error.name === 'PostgresError' && 'code' in error ? `database ${error.code}` : error.message
}
