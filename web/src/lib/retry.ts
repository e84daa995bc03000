import { ApiError, NetworkError } from './api'

/** Milliseconds before the next attempt. After the last one the failure stands. */
const waits = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 60_000]

/** True for what may pass by itself. A refusal because of too many uploads is no such: it is told at once. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    (error instanceof ApiError && (error.status === 408 || error.status >= 500))
  )
}

/**
 * Does `work` until it succeeds, is refused, or `signal` stops it: again after a growing while when the connection
 * was lost, at once when the browser says that it is back.
 *
 * @param onWaiting told before each wait
 */
export async function retryWithBackoff<T>(
  work: () => Promise<T>,
  { signal, onWaiting }: { signal: AbortSignal; onWaiting?: () => void },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const wait = waits[failures]
      if (signal.aborted || !mayPass(error) || wait === undefined) throw error
      onWaiting?.()
      await pauseUntilOnline(wait, signal)
    }
  }
}

function pauseUntilOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (action: () => void) => () => {
      clearTimeout(timer)
      window.removeEventListener('online', goOn)
      signal.removeEventListener('abort', stop)
      action()
    }
    const goOn = done(resolve)
    const stop = done(() => reject(signal.reason))
    const timer = setTimeout(goOn, milliseconds)
    window.addEventListener('online', goOn)
    signal.addEventListener('abort', stop)
  })
}
