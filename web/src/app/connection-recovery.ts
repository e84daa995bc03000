import { reachability, reportReachability } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import { retryDelay, socketRetryDelaysMs } from '@/lib/retry'

/** Milliseconds after which a check without a response counts as failed. */
const checkTimeoutMs = 10_000

/** When the server became unreachable, in milliseconds since the epoch. */
let unreachableSince = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** The latest check. Failures of earlier checks are ignored. */
let check: AbortController | undefined

/**
 * Checks whether the server responds. Without this check, a page that sends no other requests would not notice that the
 * server has become reachable or unreachable.
 */
async function checkServer(failures = 0): Promise<void> {
  const controller = new AbortController()
  check = controller
  const timeout = setTimeout(() => controller.abort(), checkTimeoutMs)
  try {
    await fetch('/api/health', { cache: 'no-store', signal: controller.signal })
    reportReachability(true)
  } catch {
    if (check !== controller) return
    if (reachability.getState().reachable) reportReachability(false)
    else scheduleCheck(failures + 1)
  } finally {
    clearTimeout(timeout)
  }
}

function scheduleCheck(failures: number): void {
  clearTimeout(timer)
  // The random factor keeps all open pages from checking at the same moment.
  const delayMs = retryDelay(socketRetryDelaysMs, failures) * (0.75 + Math.random() / 2)
  timer = setTimeout(() => void checkServer(failures), delayMs)
}

// Also checks when the browser goes offline, because an offline browser can still reach a server on the same machine.
for (const event of ['online', 'offline']) window.addEventListener(event, () => void checkServer())

reachability.subscribe(({ reachable }, before) => {
  if (reachable === before.reachable) return
  clearTimeout(timer)
  if (reachable) {
    check = undefined
    refetchOutdated()
  } else {
    unreachableSince = Date.now()
    scheduleCheck(0)
  }
})

/**
 * Refetches what is on the screen and has not been fetched since the server became unreachable. An optimistic update
 * also sets `dataUpdatedAt`, so checking the time is not enough: invalidated queries are refetched as well.
 */
function refetchOutdated(): void {
  void queryClient.refetchQueries(
    {
      type: 'active',
      predicate: ({ state }) => state.isInvalidated || state.dataUpdatedAt < unreachableSince,
    },
    // Other code may have noticed the reconnection too and started to refetch.
    { cancelRefetch: false },
  )
}
