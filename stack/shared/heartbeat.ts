import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'

const intervalMs = 5000
/** The delay before the next check after a missed one. */
const retryDelayMs = 1000
const maxMisses = 3
/** How long a process may take to respond for the first time. */
const startTimeoutMs = 90_000

/**
 * Checks every few seconds whether a process responds. A busy process may miss a check, so only one that misses three
 * in a row counts as hung. Missed checks are counted instead of seconds, because a time limit could also expire while
 * the machine is asleep.
 *
 * @param check resolves if the process responds, whatever the response says; the check should end when the signal
 *   aborts
 * @param onHung called once, after which the checks end
 * @param timeoutMs how long a check may take
 * @returns a function that ends the checks
 */
export function watchHeartbeat(
  check: (signal: AbortSignal) => Promise<unknown>,
  onHung: () => void,
  timeoutMs: number,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let misses = 0
  const stop = (): void => {
    stopped = true
    clearTimeout(timer)
  }
  let hasResponded = false
  const startedAt = performance.now()
  const run = async (): Promise<void> => {
    const responds = await respondsInTime(check, timeoutMs)
    if (stopped) return
    hasResponded ||= responds
    const isStarting = !hasResponded && performance.now() - startedAt < startTimeoutMs
    misses = responds || isStarting ? 0 : misses + 1
    if (misses >= maxMisses) {
      stop()
      onHung()
      return
    }
    timer = setTimeout(() => void run(), misses > 0 || !hasResponded ? retryDelayMs : intervalMs)
  }
  timer = setTimeout(() => void run(), retryDelayMs)
  return stop
}

async function respondsInTime(
  check: (signal: AbortSignal) => Promise<unknown>,
  timeoutMs: number,
): Promise<boolean> {
  return await withTimeout(check(AbortSignal.timeout(timeoutMs)), timeoutMs).then(
    () => true,
    () => false,
  )
}
