import type { TransactionSql } from 'postgres'
import { rowsOf, uidOf } from './insert-people.ts'
import { about } from './texts/about.ts'

/** What people tell about themselves, and what of it they hide. A trigger has made a row for each. */
export async function updateAbout(tx: TransactionSql): Promise<void> {
  const rows = Object.entries(about).map(([username, { hidden = [], ...told }]) => ({
    ...told,
    ...Object.fromEntries(hidden.map((name) => [`show_${name}`, false])),
    user_id: uidOf(username),
  }))
  await tx`
    select private.write_profile((r ->> 'user_id')::uuid, r)
    from jsonb_array_elements(${rowsOf(rows)}::text::jsonb) r`
}
