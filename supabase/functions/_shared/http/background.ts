import { log } from './log.ts'

/** Supabase stops a function once it has answered, unless it is told of what still runs. */
type Runtime = { EdgeRuntime?: { waitUntil(work: Promise<unknown>): void } }

/**
 * Lets work go on behind an answer that does not wait for it, nor fails with it: a failure is logged as `event`.
 *
 * @param details what of the failure may be logged
 */
export function inBackground(
  work: Promise<unknown>,
  event: string,
  details: (error: unknown) => Record<string, string | number | undefined> = () => ({}),
): void {
  const settled = work.catch((error: unknown) => log('warn', event, details(error)))
  ;(globalThis as Runtime).EdgeRuntime?.waitUntil(settled)
}
