import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { DatabaseUnavailableError, toDatabaseError } from '../../supabase/functions/_shared/db/errors.ts'

/**
 * Waits until the database accepts queries, for example after crash recovery. Without this wait, a process that starts
 * earlier would fail again and again.
 */
export async function waitForDatabase(url: string): Promise<void> {
  for (;;) {
    const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => undefined })
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (!(toDatabaseError(error) instanceof DatabaseUnavailableError)) throw error
      await delay(200)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
}
