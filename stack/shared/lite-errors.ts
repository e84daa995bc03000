import { AsyncLocalStorage } from 'node:async_hooks'
import { failureResponse } from './error-responses.ts'

const loggedErrors = new AsyncLocalStorage<unknown[]>()

/**
 * Turns the console off, because `@supabase/lite` logs statements and email addresses to it, which must not be
 * recorded. Errors are kept until the end of the request (`hideDatabaseErrors`).
 */
export function silenceConsole(): void {
  for (const level of ['debug', 'log', 'info', 'warn'] as const) console[level] = () => undefined
  console.error = (...values: unknown[]) =>
    void loggedErrors.getStore()?.push(...values.filter((value) => value instanceof Error))
}

/**
 * Replaces lite's 5xx responses, which may contain error messages from the database or the file system.
 *
 * @param handle calls lite. The errors that lite logs during the call are examined too, because Auth's responses do not
 *   contain them.
 */
export async function hideDatabaseErrors(
  handle: () => Response | Promise<Response>,
  log: { error(event: string, fields: { reason: string }): void },
): Promise<Response> {
  const errors: unknown[] = []
  const response = await loggedErrors.run(errors, async () => await handle())
  if (response.status < 500) return response
  const codes = errors.map((error) => (error instanceof Error && 'code' in error ? error.code : ''))
  const text = [await response.text(), ...errors, ...codes].join('\n')
  const hidden = failureResponse(text)
  if (hidden.status === 500) log.error('request_failed', { reason: text.slice(0, 500) })
  return hidden
}
