import { reachability, reportReachability } from '@/lib/reachability'

/** Milliseconds between two looks at the clock. */
const tick = 5000
/** A clock that jumped by more than this had the machine asleep; of a hidden page, timers alone are that late. */
const nap = { visible: 30_000, hidden: 90_000 }

let listening = false

/**
 * Calls `wake` whenever what the page holds may be old. `connectionLost` says that the socket may be dead without
 * having said so: the machine slept, or the network is another one. Only the first call counts.
 */
export function onWakeUp(wake: (connectionLost: boolean) => void): void {
  if (listening) return
  listening = true

  let looked = Date.now()
  let hiddenSince = document.visibilityState === 'hidden'
  const slept = () => {
    const now = Date.now()
    const gap = now - looked
    looked = now
    const patience = hiddenSince ? nap.hidden : nap.visible
    hiddenSince = document.visibilityState === 'hidden'
    return gap > patience
  }
  setInterval(() => {
    if (slept()) wake(true)
  }, tick)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake(slept())
  })
  // A page that was frozen, or kept for going back to.
  document.addEventListener('resume', () => wake(true))
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) wake(true)
  })
  window.addEventListener('online', () => wake(true))
  window.addEventListener('offline', () => {
    // Ask rather than believe: a server on this very machine is still there.
    fetch('/api/health', { cache: 'no-store' }).then(
      () => reportReachability(true),
      () => reportReachability(false),
    )
  })
  // Any call that succeeds again tells it sooner than the socket's own attempts, which grow rare.
  reachability.subscribe((now, before) => {
    if (now.reachable && !before.reachable) wake(false)
  })
}
