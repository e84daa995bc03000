import type postgres from 'postgres'
import type { Sql } from './client.ts'

/**
 * A key of the state that the stack stores about a database. The state is in the database itself, so it is lost,
 * restored and replaced together with the data it describes.
 */
export type StateKey = 'services' | 'migrations' | 'seed' | 'version'

/** Returns the value of a key, or null if it is not set. */
export async function readState(sql: Sql, key: StateKey): Promise<string | null> {
  const [row] = await sql<{ value: unknown }[]>`select value from ovation_stack.state where key = ${key}`
  return typeof row?.value === 'string' ? row.value : null
}

export async function writeState(
  sql: Sql | postgres.TransactionSql,
  key: StateKey,
  value: string,
): Promise<void> {
  await sql`
    insert into ovation_stack.state (key, value) values (${key}, ${sql.json(value)})
    on conflict (key) do update set value = excluded.value, updated_at = now()`
}
