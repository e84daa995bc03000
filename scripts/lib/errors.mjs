/**
 * Prints a message and exits with code 1.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message)
  process.exit(1)
}

/**
 * Returns the message of any thrown value, on one line.
 *
 * @param {unknown} error
 */
export function errorMessage(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim()
}
