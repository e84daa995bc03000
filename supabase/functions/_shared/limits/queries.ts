import { asService } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Caller } from '../http/session.ts'

// An address is named here by its network: see `networkOf`.
const why = 'counting calls is nothing that those who are counted may do'

type Wait = { wait: number }

/**
 * Refuses where something that was counted is over its limit.
 *
 * @param rows the seconds to wait for each, 0 within the limit
 * @throws ApiError 429
 */
export function obey(rows: readonly Wait[]) {
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
export async function takeSearch(caller: Caller, network: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`
        select private.take_rate('search', ${caller.userId}::text, 120, '1 minute') as wait
        union all
        select private.take_rate('search_address', ${network}::text, 300, '1 minute')`,
    ),
  )
}

/**
 * Counts one registration: 100 an hour for an address.
 *
 * @throws ApiError 429
 */
export async function takeRegistration(network: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`select private.take_rate('register', ${network}::text, 100, '1 hour') as wait`,
    ),
  )
}

/**
 * Counts one registration that was refused for what others have already: 300 an hour for an address, so that nobody
 * asks for a list of who is here.
 *
 * @throws ApiError 429
 */
export async function takeRefusal(network: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`
        select private.take_rate('register_refused', ${network}::text, 300, '1 hour') as wait`,
    ),
  )
}

/**
 * Counts one address that a signed-in person wanted and somebody else has: 30 an hour, so that nobody asks for a list of
 * who is here.
 *
 * @throws ApiError 429
 */
export async function takeTakenAddress(userId: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`select private.take_rate('email taken', ${userId}::text, 30, '1 hour') as wait`,
    ),
  )
}

/**
 * Counts one reset mail: 3 an hour for the address that was typed, whether anybody has it or not, and 30 for a network
 * address.
 *
 * @throws ApiError 429
 */
export async function takeResetMail(email: string, network: string) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`select private.take_reset_mail(${email}::text, ${network}::text) as wait`,
    ),
  )
}

/** Failed sign-ins: 10 in 15 minutes for an account and address together, 300 an hour for an address. */
const signIn = { both: 10, address: 300 }

/**
 * Counts a sign-in that is about to be tried, as if it had failed.
 *
 * @throws ApiError 429 where too many have failed; such a try counts for nothing
 */
export async function takeSignIn(email: string, network: string) {
  const rows = await asService(
    why,
    (tx) => tx<Wait[]>`
      select private.take_rate('sign_in', ${`${email} ${network}`}::text, ${signIn.both}::int, '15 minutes') as wait
      union all
      select private.take_rate('sign_in_address', ${network}::text, ${signIn.address}::int, '1 hour')`,
  )
  if (rows.some((row) => row.wait > 0)) await giveBackSignIn(email, network)
  obey(rows)
}

/** Takes the count of a sign-in back that did not fail. That this is not possible is nobody's fault: it is logged. */
export async function giveBackSignIn(email: string, network: string) {
  try {
    await asService(
      why,
      (tx) => tx`
        select private.give_back_rate('sign_in', ${`${email} ${network}`}::text, '15 minutes'),
               private.give_back_rate('sign_in_address', ${network}::text, '1 hour')`,
    )
  } catch {
    log('warn', 'sign_in_stays_counted')
  }
}

/**
 * Counts one visit of the payments provider's own page: 20 a minute for an account.
 *
 * @throws ApiError 429
 */
export async function takePortal(caller: Caller) {
  obey(
    await asService(
      why,
      (tx) => tx<Wait[]>`
        select private.take_rate('portal', ${caller.userId}::text, 20, '1 minute') as wait`,
    ),
  )
}
