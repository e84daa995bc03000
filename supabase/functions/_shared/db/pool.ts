import postgres from 'postgres'
import { env } from '../env.ts'

/**
 * A pooler that hands each transaction another connection loses prepared statements and settings of the connection:
 * Supabase's listens on 6543, and others say so themselves with `?pgbouncer=true`.
 */
function poolOptions(address: string) {
  const url = new URL(address)
  const pooled = url.port === '6543' || url.searchParams.get('pgbouncer') === 'true'
  // Not a setting that PostgreSQL knows: it would refuse the connection.
  url.searchParams.delete('pgbouncer')
  return { url: url.toString(), pooled }
}

const { url, pooled } = poolOptions(env.databaseUrl)

/**
 * The pool of the login role `gateway`. Only `db/run.ts` uses it: a query outside of its transactions has no
 * caller and is refused by the database.
 */
export const pool = postgres(url, {
  max: 16,
  prepare: !pooled,
  connect_timeout: 5,
  // Types are never looked up: every parameter is cast in the statement, and answers are text, numbers or booleans.
  fetch_types: false,
  onnotice: () => {},
  // A pooler takes no settings for a connection that it shares.
  connection: { application_name: 'ovation-api', ...(pooled ? {} : { statement_timeout: 15_000 }) },
})
