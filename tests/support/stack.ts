import postgres from 'postgres'
import { readConnection, readSecrets } from './connection.ts'

/** The stack under test. */
export const stack = readConnection()

/** The secrets of that stack, for tests that have to sign a token or a challenge, such as an expired token. */
export const secrets = readSecrets()

/**
 * A pool of superuser connections, to create test data and to check what is stored. It is never closed, because several
 * test files share a process. Idle connections are closed after 20 seconds, which frees them for other processes. A new
 * connection is slow at first: its first insert into `auth.users` takes ten times as long as later ones.
 */
export const sql = postgres(stack.databaseUrl, { max: 4, idle_timeout: 20, onnotice: () => undefined })

/** The IP address from which tests call the API of the shared stack. */
export const clientAddress = '127.0.0.1'

/**
 * Resets the given rate limits for one subject: a user ID, an email address or a network address. Those of other
 * subjects are kept, because other tests run at the same time.
 */
export async function clearRateLimits(subject: string, ...buckets: string[]): Promise<void> {
  await sql`delete from private.rate_limits where subject = ${subject} and bucket = any(${buckets})`
}

/**
 * Records `hits` in the current rate limit window and the next window, because a test may run across the boundary
 * between them.
 *
 * @param windowLength the length of the rate limit window, as an SQL interval
 */
export async function exhaustRateLimit(
  bucket: string,
  subject: string,
  hits: number,
  windowLength: string,
): Promise<void> {
  await sql`
    insert into private.rate_limits (bucket, subject, window_start, hits)
    select ${bucket}, ${subject}, date_bin(${windowLength}::interval, clock_timestamp(), 'epoch') + n * ${windowLength}::interval,
           ${hits}
    from generate_series(0, 1) n
    on conflict (bucket, subject, window_start) do update set hits = excluded.hits`
}

const registrationLockId = 4_400

/**
 * Runs `work` while no other test is in this function, `withSharedRegistrationLock` or `registerWithoutRateLimit`. All
 * tests share one IP address and therefore its registration rate limit.
 */
export async function withRegistrationLock<T>(work: () => Promise<T>): Promise<T> {
  return await withLock((tx) => tx`select pg_advisory_xact_lock(${registrationLockId})`, work)
}

/** Runs `work` while no other test is in `withRegistrationLock`. */
export async function withSharedRegistrationLock<T>(work: () => Promise<T>): Promise<T> {
  return await withLock((tx) => tx`select pg_advisory_xact_lock_shared(${registrationLockId})`, work)
}

/** Runs a registration after resetting the rate limit. */
export async function registerWithoutRateLimit<T>(work: () => Promise<T>): Promise<T> {
  return await withSharedRegistrationLock(async () => {
    await clearRateLimits(clientAddress, 'register')
    return await work()
  })
}

async function withLock<T>(
  lock: (tx: postgres.TransactionSql) => PromiseLike<unknown>,
  work: () => Promise<T>,
) {
  const reserved = postgres(stack.databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    const [result] = await reserved.begin(async (tx) => {
      await lock(tx)
      return [await work()] as const
    })
    return result as T
  } finally {
    await reserved.end()
  }
}
