import { log } from './log.ts'

/** Supabase stops a function after its response, unless work that was passed to `waitUntil` is still running. */
type Runtime = { EdgeRuntime?: { waitUntil(work: Promise<unknown>): void } }

/**
 * Lets work continue after the response. A failure is only logged, as `event`.
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
