import postgres from 'postgres'
import { afterAll } from 'vitest'
import { readConnection, readSecrets } from './connection.ts'

/** The stack under test. */
export const stack = readConnection()

/** Its secrets, for tests that sign a token or a challenge of their own: an expired one, say. */
export const secrets = readSecrets()

/** The database, as its superuser: sets the scene and reads back what really is. */
export const sql = postgres(stack.databaseUrl, { max: 12, onnotice: () => undefined })

afterAll(() => sql.end())

/** The address that every call of a test comes from. */
export const address = '127.0.0.1'

/** Forgets what was counted for somebody or some address; others keep theirs, as other tests run meanwhile. */
export async function forgetRates(subject: string, ...buckets: string[]): Promise<void> {
  await sql`delete from private.rate_limits where subject = ${subject} and bucket = any(${buckets})`
}

/** Counts `hits` for this window and the next, so that a test at the end of one sees them in both. */
export async function useUp(bucket: string, subject: string, hits: number, length: string): Promise<void> {
  await sql`
    insert into private.rate_limits (bucket, subject, window_start, hits)
    select ${bucket}, ${subject}, date_bin(${length}::interval, clock_timestamp(), 'epoch') + n * ${length}::interval,
           ${hits}
    from generate_series(0, 1) n
    on conflict (bucket, subject, window_start) do update set hits = excluded.hits`
}

const registering = 4_400

/**
 * Runs `work` while nobody else who uses `registerInPeace` registers: every test comes from one address, whose
 * allowance they share.
 */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  return await holding((tx) => tx`select pg_advisory_xact_lock(${registering})`, work)
}

/** Runs a registration that no limit is in the way of. */
export async function registerInPeace<T>(work: () => Promise<T>): Promise<T> {
  return await holding(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(${registering})`
    await forgetRates(address, 'register')
  }, work)
}

async function holding<T>(
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
