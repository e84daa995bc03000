/**
 * Calls `stop` on SIGINT, SIGTERM and SIGHUP instead of exiting immediately. The running benchmark then fails, and
 * everything is cleaned up on the way out.
 *
 * @param {() => unknown} stop
 * @returns {() => void} removes the handlers
 */
export function onSignal(stop) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
