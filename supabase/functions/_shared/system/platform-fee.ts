import { asAnon } from '../http/run-as.ts'
import { withTimeout } from './with-timeout.ts'

/** The fee is read again after this long. Operators rarely change it. */
const cacheMs = 60_000
/** Short, because clients need the configuration even if the database does not respond. */
const timeoutMs = 1000

let cached: { at: number; percent: Promise<number> } | null = null

/** Returns the platform's current fee in percent, at most one minute old; undefined if it cannot be read. */
export async function readPlatformFee(): Promise<number | undefined> {
  if (!cached || performance.now() - cached.at > cacheMs)
    cached = { at: performance.now(), percent: withTimeout(queryFee(), timeoutMs) }
  const { percent } = cached
  try {
    return await percent
  } catch {
    // The next request tries again.
    if (cached?.percent === percent) cached = null
    return undefined
  }
}

async function queryFee(): Promise<number> {
  const [row] = await asAnon(
    (tx) => tx<{ percent: number }[]>`select private.platform_fee_percent()::float8 as percent`,
  )
  if (!row) throw new Error('no fee')
  return row.percent
}
