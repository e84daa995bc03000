import type { Sql } from './db/sql.ts'
import type { Caller } from './http/caller.ts'
import { clientAddress } from './http/client-address.ts'
import { ApiError } from './http/errors.ts'
import { log } from './http/log.ts'
import { networkPrefix } from './http/network-prefix.ts'
import { asService } from './http/run-as.ts'

/*
 * The rate limits that the API enforces. The database enforces others itself, such as those on posts and messages. A
 * limit by IP address counts all addresses of a network (`networkPrefix`) together.
 */

type Wait = { wait: number }
/** Allows a subject at most `maxHits` hits in a fixed time window. `window` is a PostgreSQL interval. */
type RateLimit = { bucket: string; subject: string; maxHits: number; window: string }

/**
 * Throws if at least one of several rate limits was exceeded.
 *
 * @param rows the seconds to wait for each limit; 0 if it was not exceeded
 * @throws ApiError 429
 */
export function assertWithinLimit(rows: readonly Wait[]) {
  const wait = Math.max(0, ...rows.map((row) => row.wait))
  if (wait > 0) {
    throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: wait })
  }
}

/**
 * Counts one hit against each of the limits.
 *
 * @throws ApiError 429
 */
export async function consumeRateLimit(...limits: readonly RateLimit[]): Promise<void> {
  assertWithinLimit(await countHits(limits))
}

async function countHits(limits: readonly RateLimit[]): Promise<Wait[]> {
  const results = await asService((tx) =>
    limits.map(
      ({ bucket, subject, maxHits, window }) => tx<Wait[]>`
        select private.consume_rate_limit(${bucket}::text, ${subject}::text, ${maxHits}::int, ${window}::text::interval)
          as wait`,
    ),
  )
  return results.flat()
}

/**
 * Counts one request with a JWT that was issued in exchange for a personal access token. The limit is 300 a minute per
 * token. It includes the requests with the token itself, which `private.use_access_token` counts.
 *
 * @throws ApiError 429
 */
export const consumeAccessTokenLimit = ({ sessionId }: Caller) =>
  consumeRateLimit({ bucket: 'access_token', subject: sessionId, maxHits: 300, window: '1 minute' })

/**
 * Counts one search or one check of a username. The limits are 120 a minute per account and 300 a minute per network.
 *
 * @throws ApiError 429
 */
export const consumeSearchLimit = ({ userId }: Caller, headers: Headers) =>
  consumeRateLimit(
    { bucket: 'search', subject: userId, maxHits: 120, window: '1 minute' },
    {
      bucket: 'search_address',
      subject: networkPrefix(clientAddress(headers)),
      maxHits: 300,
      window: '1 minute',
    },
  )

/**
 * Counts one registration. The limit is 100 an hour per network.
 *
 * @throws ApiError 429
 */
export const consumeRegistrationLimit = (network: string) =>
  consumeRateLimit({ bucket: 'register', subject: network, maxHits: 100, window: '1 hour' })

/**
 * Counts one registration that was rejected because of its name or email address. The limit is 300 an hour per network.
 * The responses reveal which accounts exist, and the limit slows down their enumeration.
 *
 * @throws ApiError 429
 */
export const consumeRefusedRegistrationLimit = (network: string) =>
  consumeRateLimit({ bucket: 'register_refused', subject: network, maxHits: 300, window: '1 hour' })

/**
 * Counts one attempt by a signed-in user to change to a taken email address. The limit is 30 an hour, to slow down the
 * enumeration of accounts.
 *
 * @throws ApiError 429
 */
export const consumeTakenEmailLimit = (userId: string) =>
  consumeRateLimit({ bucket: 'email_taken', subject: userId, maxHits: 30, window: '1 hour' })

/**
 * Counts one request for a password reset email. The limits are 3 an hour per email address, whether or not it belongs
 * to an account, and 30 an hour per network.
 *
 * @throws ApiError 429
 */
export async function consumeResetMailLimit(email: string, network: string): Promise<void> {
  assertWithinLimit(
    await asService(
      (tx) => tx<Wait[]>`select private.consume_reset_mail_limit(${email}::text, ${network}::text) as wait`,
    ),
  )
}

/** Returns the limits for failed sign-ins: 10 in 15 minutes per pair of email and network, 300 an hour per network. */
const signInLimits = (email: string, network: string): RateLimit[] => [
  { bucket: 'sign_in', subject: `${email} ${network}`, maxHits: 10, window: '15 minutes' },
  { bucket: 'sign_in_address', subject: network, maxHits: 300, window: '1 hour' },
]

/**
 * Counts a sign-in as failed before it is attempted, so that concurrent guesses are all counted. If the sign-in
 * succeeds, refund the count with `refundSignInLimit` or `refundSignIn`.
 *
 * @throws ApiError 429 after too many failures; the rejected attempt is not counted
 */
export async function consumeSignInLimit(email: string, network: string): Promise<void> {
  const rows = await countHits(signInLimits(email, network))
  if (rows.some((row) => row.wait > 0)) await refundSignInLimit(email, network)
  assertWithinLimit(rows)
}

/** Refunds what one call to `consumeSignInLimit` counted. A failed refund is logged and does not fail the sign-in. */
export async function refundSignInLimit(email: string, network: string): Promise<void> {
  try {
    await asService((tx) => refundSignIn(tx, email, network))
  } catch {
    log('warn', 'sign_in_refund_failed')
  }
}

/** Returns the statements of `refundSignInLimit`, for use in a transaction with other statements. */
export const refundSignIn = (tx: Sql, email: string, network: string) =>
  signInLimits(email, network).map(
    ({ bucket, subject, window }) =>
      tx`select private.refund_rate_limit(${bucket}::text, ${subject}::text, ${window}::text::interval)`,
  )

/**
 * Counts one check of a signed-in user's password, right or wrong. The limit is 30 an hour. A limit is needed because
 * the check, unlike a sign-in, requires no captcha, and because hashing passwords is slow and takes processor time from
 * sign-ins and, in the embedded stack, from Storage.
 *
 * @throws ApiError 429
 */
export const consumeOwnPasswordLimit = ({ userId }: Caller) =>
  consumeRateLimit({ bucket: 'own_password', subject: userId, maxHits: 30, window: '1 hour' })

/**
 * Counts one visit to the payment provider's billing page. The limit is 20 a minute per account.
 *
 * @throws ApiError 429
 */
export const consumeBillingPortalLimit = ({ userId }: Caller) =>
  consumeRateLimit({ bucket: 'portal', subject: userId, maxHits: 20, window: '1 minute' })
