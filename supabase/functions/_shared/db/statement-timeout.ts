import type { Sql } from './sql.ts'

/**
 * The statement timeout for work that can take a long time. The default of 15 seconds is too short: deleting an account
 * with 40,000 posts takes about that long. Proxies in front of the API must wait longer than two minutes
 * (`stack/gateway/timeouts.ts`), or the user gets an error even though the work succeeds.
 */
export const longStatementMs = 120_000

/** Sets the timeout for the statements that follow in the transaction. */
export const setStatementTimeout = (tx: Sql, timeoutMs = longStatementMs) =>
  tx`select set_config('statement_timeout', ${String(Math.floor(timeoutMs))}, true)`
