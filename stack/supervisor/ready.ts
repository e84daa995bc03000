import { errorMessage, StartupError } from '../shared/errors.ts'
import type { ServiceUrls } from './processes.ts'

/** How long the processes may take to become healthy after they are started. */
const readyTimeoutMs = 90_000

/**
 * Waits until the health check of the platform succeeds. Then waits a few more seconds for the studio, and continues
 * without it if necessary, because the platform works without it.
 *
 * @param isStopping returns whether the stack is being stopped, which ends the wait without an error
 * @throws StartupError with the last response or error, if the health check does not succeed in time
 */
export async function waitUntilReady(urls: ServiceUrls, isStopping: () => boolean): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs
  let lastFailure = 'no response'
  while (Date.now() < deadline && !isStopping()) {
    try {
      const health = await fetch(`${urls.gateway}/api/health`, { signal: AbortSignal.timeout(5000) })
      const text = await health.text()
      if (health.ok) return await waitForStudio(urls.studio)
      lastFailure = text.slice(0, 300)
    } catch (error) {
      lastFailure = errorMessage(error)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  if (!isStopping()) throw new StartupError(`Ovation did not become ready: ${lastFailure}`)
}

async function waitForStudio(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(1000) })
      return await response.body?.cancel()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
