import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { z } from 'zod'
import { DatabaseError } from '../../db/errors.ts'
import { env } from '../../env.ts'
import { ApiError } from '../../http/errors.ts'

const { secretKey, apiBase } = env.stripe
const base = apiBase ? new URL(apiBase) : null

/** A client for Stripe's API, or for a compatible server at STRIPE_API_BASE. Uses the SDK's default API version. */
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

/** Returns the id of an object that Stripe either references by id or includes in full. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

const Metadata = z.object({
  payment: z.uuid(),
  ours: z.uuid().optional(),
  cents: z.coerce.number().int().positive().optional(),
})

/**
 * Reads the metadata that we set on Stripe's objects. `payment` is the id of our payment, or of the first payment of a
 * subscription; `ours` is the id of our subscription or plan; `cents` is the price on the checkout page. Returns null
 * for objects that are not ours.
 */
export const parseMetadata = (metadata: Stripe.Metadata | null): z.infer<typeof Metadata> | null =>
  Metadata.safeParse(metadata ?? {}).data ?? null

/**
 * Returns request options with an idempotency key that is derived from the request's content, so that a different
 * request never gets the response of an earlier one.
 *
 * @param parts everything that distinguishes the request from others
 */
export const idempotencyOptions = (...parts: unknown[]): { idempotencyKey: string } => ({
  idempotencyKey: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
})

/**
 * Returns whether an error means that Stripe does not have an object: the requested one or, if `param` is given, the
 * one whose id is the value of that parameter.
 */
export const isMissingResource = (error: unknown, param?: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  (param === undefined || error.param === param)

/**
 * Returns whether Stripe rejected the request as invalid, for example because the object's current state does not allow
 * it. If `code` is given, only that error code counts.
 */
export const isInvalidRequest = (error: unknown, code?: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && (code === undefined || error.code === code)

/** Converts an error from Stripe to one that the caller may see. Returns any other error unchanged. */
export const toPaymentError = (error: unknown): unknown =>
  error instanceof Stripe.errors.StripeError
    ? new ApiError(503, "Payments aren't available right now. Please try again later.", {
        code: 'payment_failed',
        cause: error,
      })
    : error

/** Describes an error for the log. Omits messages from Stripe and the database, as they may contain personal data. */
export function describeError(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) return [error.type, error.code].filter(Boolean).join(' ')
  if (!(error instanceof Error)) return String(error)
  return error instanceof DatabaseError ? `database ${error.code}` : error.message
}
