import { ApiError, NetworkError } from './errors'

/** Delays between upload attempts while the connection is lost. The upload fails after the last attempt. */
const uploadRetryDelaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 60_000]

/** Delays between upload attempts after server errors: few and short, so that the user soon sees the error. */
const serverErrorRetryDelaysMs = [500, 1500]

/** Delays between the attempts to send a message. The last delay repeats. */
export const outboxRetryDelaysMs = [1000, 2000, 5000, 10_000, 30_000]

/** Delays between the attempts to rejoin a realtime channel. The last delay repeats. */
export const channelRetryDelaysMs = [1000, 2000, 5000, 10_000, 30_000]

/** Delays between the attempts to reconnect the realtime socket or to reach the server. The last delay repeats. */
export const socketRetryDelaysMs = [1000, 2000, 5000, 10_000]

/**
 * Returns the delay after a failed attempt. `failures` is the number of failures in a row before that attempt. The last
 * delay repeats.
 */
export function retryDelay(delaysMs: readonly number[], failures: number): number {
  return delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0
}

/**
 * Uploads with retries: runs `upload` until it succeeds, fails for good, or `signal` aborts. While the connection is
 * lost, it waits longer after each failure, but retries immediately when the browser reports that it is online again.
 *
 * @param onConnectionLost called before each wait for the connection
 */
export async function retryWithBackoff<T>(
  upload: () => Promise<T>,
  { signal, onConnectionLost }: { signal: AbortSignal; onConnectionLost?: () => void },
): Promise<T> {
  let lostConnections = 0
  let serverErrors = 0
  for (;;) {
    signal.throwIfAborted()
    try {
      return await upload()
    } catch (error) {
      const isConnectionLost = error instanceof NetworkError
      const delayMs = isConnectionLost
        ? uploadRetryDelaysMs[lostConnections++]
        : isServerError(error)
          ? serverErrorRetryDelaysMs[serverErrors++]
          : undefined
      if (signal.aborted || delayMs === undefined) throw error
      if (isConnectionLost) onConnectionLost?.()
      await waitUntilOnline(delayMs, signal)
    }
  }
}

const isServerError = (error: unknown) =>
  error instanceof ApiError && (error.status === 408 || error.status >= 500)

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
