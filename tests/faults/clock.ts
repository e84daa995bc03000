import { decodeJwt, SignJWT } from 'jose'
import type postgres from 'postgres'
import { retryDeadlocks } from '../support/deadlocks.ts'
import type { TestUser } from '../support/users.ts'

/** More days than lie between the earliest and the latest stored time. */
const farFutureDays = 36_500

/**
 * Shifts every stored date and `timestamptz` by a number of days. To the stack, it looks as if the system clock, which
 * a test cannot change, had jumped by the same number of days in the opposite direction.
 */
export async function shiftStoredTimes(sql: postgres.Sql, days: number): Promise<void> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select format('%I.%I', n.nspname, c.relname) as name, array_agg(quote_ident(a.attname)) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage')
      and a.atttypid in ('date'::regtype, 'timestamptz'::regtype)
    group by 1`
  // The updates can deadlock with a running job.
  await retryDeadlocks(() =>
    sql.begin(async (tx) => {
      // Disables triggers, such as those that make the ledger append-only.
      await tx`set local session_replication_role = replica`
      for (const { name, columns } of tables) {
        // Updates in two steps. In a single step, a row could move to the day of a row that is not updated yet, which
        // could violate a unique constraint.
        for (const step of [days + farFutureDays, -farFutureDays]) {
          const changes = columns.map((column) => `${column} = ${column} + interval '${step} days'`)
          await tx.unsafe(`update ${name} set ${changes.join(', ')}`)
        }
      }
    }),
  )
}

/** Returns a copy of the user's access token whose times are shifted by a number of days. */
export async function shiftToken({ token }: TestUser, days: number, jwtSecret: string): Promise<string> {
  const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
  const shift = days * 86_400
  return await new SignJWT({ ...claims, iat: iat + shift, exp: exp + shift })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(jwtSecret))
}
