import { errorMessage, StartupError } from '../shared/errors.ts'
import type { Addresses } from './processes.ts'

/** How long the processes may take to become healthy after they were started. */
const readyTimeoutMs = 90_000

/**
 * Waits until the health check of the platform succeeds.
 *
 * @param isStopping ends the wait early, without an error, once the stack is being stopped
 * @throws StartupError with the last response of the health check
 */
export async function waitUntilReady(addresses: Addresses, isStopping: () => boolean): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs
  let last = 'no response'
  while (Date.now() < deadline && !isStopping()) {
    try {
      const answer = await fetch(`${addresses.gateway}/api/health`, { signal: AbortSignal.timeout(5000) })
      const text = await answer.text()
      if (answer.ok) return
      last = text.slice(0, 300)
    } catch (error) {
      last = errorMessage(error)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  if (!isStopping()) throw new StartupError(`Ovation did not become ready: ${last}`)
}
