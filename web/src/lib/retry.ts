import { ApiError, NetworkError } from './api'

/** Delays between the attempts of an upload. It fails after the last one. */
const uploadRetryDelaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 60_000]

/** Delays between the attempts to send a message. Attempts continue at the last delay. */
export const outboxRetryDelaysMs = [1000, 2000, 5000, 10_000, 30_000]

/** Delays between the attempts to rejoin a realtime channel. Attempts continue at the last delay. */
export const channelRetryDelaysMs = [1000, 2000, 5000, 10_000, 30_000]

/** Delays between the attempts to reconnect the realtime socket. Attempts continue at the last delay. */
export const socketRetryDelaysMs = [1000, 2000, 5000, 10_000]

/** Returns the delay before the next attempt after `failures` earlier failures in a row: the last one repeats. */
export function retryDelay(delaysMs: readonly number[], failures: number): number {
  return delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0
}

/**
 * Uploads with retries: runs `upload` until it succeeds, fails for good, or `signal` aborts. Waits longer after each
 * failure, but retries immediately when the browser reports that it is online again.
 *
 * @param onWaiting called before each wait
 */
export async function retryWithBackoff<T>(
  upload: () => Promise<T>,
  { signal, onWaiting }: { signal: AbortSignal; onWaiting?: () => void },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted()
    try {
      return await upload()
    } catch (error) {
      const delayMs = uploadRetryDelaysMs[failures]
      if (signal.aborted || !isRetryable(error) || delayMs === undefined) throw error
      onWaiting?.()
      await waitUntilOnline(delayMs, signal)
    }
  }
}

/** Unlike `isTransient`, returns false for 429: the user is told immediately that they have uploaded too much. */
function isRetryable(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    (error instanceof ApiError && (error.status === 408 || error.status >= 500))
  )
}

/** Waits for `delayMs` or until the browser is online again. Rejects if `signal` aborts. */
function waitUntilOnline(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => () => {
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
      signal.removeEventListener('abort', onAbort)
      action()
    }
    const onOnline = settle(resolve)
    const onAbort = settle(() => reject(signal.reason))
    const timer = setTimeout(onOnline, delayMs)
    window.addEventListener('online', onOnline)
    signal.addEventListener('abort', onAbort)
  })
}
