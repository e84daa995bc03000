import type { Sql } from './client.ts'

/**
 * What the stack remembers about the database, in the database: it is lost, restored and replaced together
 * with the data it speaks of.
 */
export type StateKey = 'services' | 'migrations'

/** The remembered text, or null where nothing is. */
export async function recall(sql: Sql, key: StateKey): Promise<string | null> {
  const [row] = await sql<{ value: unknown }[]>`select value from ovation_stack.state where key = ${key}`
  return typeof row?.value === 'string' ? row.value : null
}

export async function remember(sql: Sql, key: StateKey, value: string): Promise<void> {
  await sql`
    insert into ovation_stack.state (key, value) values (${key}, ${sql.json(value)})
    on conflict (key) do update set value = excluded.value, updated_at = now()`
}
