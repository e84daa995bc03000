/**
 * Calls `stop` when somebody ends the bench, instead of ending at once: whatever runs then fails, and everything is
 * cleaned up on the way out.
 *
 * @param {() => unknown} stop
 * @returns {() => void} takes it back
 */
export function onSignal(stop) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
