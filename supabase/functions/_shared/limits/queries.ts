import { asService } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

const why = 'counting calls is nothing that those who are counted may do'

type Wait = { wait: number }

function obey(rows: readonly Wait[]) {
  const wait = Math.max(0, ...rows.map((row) => row.wait))
  if (wait > 0) {
    throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: wait })
  }
}

/**
 * Counts one search: 120 a minute for an account, 300 for an address.
 *
 * @throws ApiError 429
 */
export async function takeSearch(caller: Caller, address: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`
        select private.take_rate('search', ${caller.userId}::text, 120, '1 minute') as wait
        union all
        select private.take_rate('search_address', ${address}::text, 300, '1 minute')`,
    ),
  )
}

/**
 * Counts one registration: 100 an hour for an address.
 *
 * @throws ApiError 429
 */
export async function takeRegistration(address: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`select private.take_rate('register', ${address}::text, 100, '1 hour') as wait`,
    ),
  )
}

/** Failed sign-ins: 10 in 15 minutes for an account and address together, 300 an hour for an address. */
const signIn = { both: 10, address: 300 }

/**
 * Refuses a sign-in where too many have failed. Counts nothing.
 *
 * @throws ApiError 429
 */
export async function checkSignIn(email: string, address: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`
        select private.rate_wait('sign_in', ${`${email} ${address}`}::text, ${signIn.both}::int, '15 minutes') as wait
        union all
        select private.rate_wait('sign_in_address', ${address}::text, ${signIn.address}::int, '1 hour')`,
    ),
  )
}

/** Counts a sign-in that failed. */
export async function countFailedSignIn(email: string, address: string) {
  await asService(
    why,
    (tx) => tx`
      select private.take_rate('sign_in', ${`${email} ${address}`}::text, ${signIn.both}::int, '15 minutes'),
             private.take_rate('sign_in_address', ${address}::text, ${signIn.address}::int, '1 hour')`,
  )
}
