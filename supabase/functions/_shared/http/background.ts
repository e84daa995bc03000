import { log } from './log.ts'

/** Supabase stops a function after its response unless `waitUntil` is given the work that is still running. */
type Runtime = { EdgeRuntime?: { waitUntil(work: Promise<unknown>): void } }

/**
 * Lets work continue after the response, which neither waits for it nor fails with it. A failure is logged as
 * `event`.
 *
 * @param details returns the fields of the error that may be logged
 */
export function runInBackground(
  work: Promise<unknown>,
  event: string,
  details: (error: unknown) => Record<string, string | number | undefined> = () => ({}),
): void {
  const settled = work.catch((error: unknown) => log('warn', event, details(error)))
  ;(globalThis as Runtime).EdgeRuntime?.waitUntil(settled)
}
