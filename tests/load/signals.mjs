/**
 * Calls `stop` on SIGINT, SIGTERM and SIGHUP instead of exiting immediately, so that the running benchmark can clean up.
 *
 * @param {() => unknown} stop
 * @returns {() => void} a function that removes the handlers
 */
export function onSignal(stop) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
